import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import {
  clearConsoleCookie,
  cookieSecret,
  setConsoleCookie,
} from "../../../../api/platform/http/console/cookie.ts";

const SECRET = "Aa0_-".padEnd(43, "b");

async function setBy(publicUrl: string): Promise<{ set: string; cleared: string }> {
  const url = new URL(publicUrl);
  const app = new Hono();
  app.get("/set", (c) => {
    setConsoleCookie(c, url, { secret: SECRET, seconds: 28_800 });
    return c.text("");
  });
  app.get("/clear", (c) => {
    clearConsoleCookie(c, url);
    return c.text("");
  });
  const [set, cleared] = await Promise.all(
    ["/set", "/clear"].map(async (path) => (await app.request(path)).headers.get("set-cookie")),
  );
  return { set: set ?? "", cleared: cleared ?? "" };
}

describe("the console's cookie", () => {
  it("belongs to one host and goes over https only, where there is https", async () => {
    expect(await setBy("https://agents.example")).toEqual({
      set: `__Host-svc-console=${SECRET}; Max-Age=28800; Path=/; HttpOnly; Secure; SameSite=Strict`,
      cleared: "__Host-svc-console=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict",
    });
  });

  it("goes over http on loopback, and keeps every other flag", async () => {
    expect(await setBy("http://127.0.0.1:8787")).toEqual({
      set: `svc-console=${SECRET}; Max-Age=28800; Path=/; HttpOnly; SameSite=Strict`,
      cleared: "svc-console=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict",
    });
  });

  it("is read under its own name alone, and in its own form", async () => {
    const app = new Hono();
    app.get("/", (c) => c.json(cookieSecret(c, new URL("https://agents.example")) ?? null));
    const read = async (cookie: string) => (await app.request("/", { headers: { cookie } })).json();
    expect(await read(`__Host-svc-console=${SECRET}`)).toBe(SECRET);
    for (const cookie of [
      `svc-console=${SECRET}`,
      `__Secure-svc-console=${SECRET}`,
      `__Host-svc-console=${SECRET}x`,
      "__Host-svc-console=",
      `__Host-svc-console=${SECRET.slice(1)}%20`,
    ]) {
      expect([cookie, await read(cookie)]).toEqual([cookie, null]);
    }
  });
});
