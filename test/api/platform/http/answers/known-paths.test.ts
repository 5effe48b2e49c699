import { TrieRouter } from "hono/router/trie-router";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../../../api/app.ts";
import { KnownPathsRouter } from "../../../../../api/platform/http/answers/known-paths.ts";
import { testDeps } from "../../../helpers.ts";

describe("the router of the service", () => {
  const app = createApp(testDeps());
  const paths = new Set(app.routes.map(({ path }) => path.replaceAll(/:[a-zA-Z]+/g, "7")));

  it("remembers paths", () => {
    expect(app.router.name).toBe("KnownPathsRouter");
  });

  it("finds what the library's finds, the first and the second time", () => {
    const library = new TrieRouter<unknown>();
    const ours = new KnownPathsRouter<unknown>();
    for (const { method, path, handler } of app.routes) {
      library.add(method, path, handler);
      ours.add(method, path, handler);
    }
    for (const path of [...paths, "/no/such/path", `/v1/profile/${"a".repeat(300)}`]) {
      for (const method of ["GET", "POST", "DELETE", "GET"]) {
        expect(ours.match(method, path)).toEqual(library.match(method, path));
      }
    }
  });

  it("finds a route that was added after its path was asked for", () => {
    const router = new KnownPathsRouter<string>();
    expect(router.match("GET", "/herons/7")).toEqual([[]]);
    router.add("GET", "/herons/:id", "heron");
    expect(router.match("GET", "/herons/7")).toEqual([[["heron", { id: "7" }]]]);
    expect(router.match("GET", "/herons/8")).toEqual([[["heron", { id: "8" }]]]);
    expect(router.match("POST", "/herons/7")).toEqual([[]]);
  });

  it("searches the same path once, unless it is very long", () => {
    const router = new KnownPathsRouter<string>();
    router.add("GET", "/herons/:id", "heron");
    for (const [path, isKnown] of [
      ["/herons/7", true],
      [`/herons/${"7".repeat(300)}`, false],
    ] as const) {
      const first = router.match("GET", path);
      const second = router.match("GET", path);
      expect(second === first).toBe(isKnown);
    }
  });
});
