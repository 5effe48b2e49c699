import { describe, expect, it } from "vitest";
import type { AgentProfile } from "../../../api/features/profile/index.ts";
import { ApiError } from "../../../api/kernel/errors.ts";
import { AVATAR_PALETTES } from "../../../protocol/avatar.ts";
import { badgeSvg } from "../../../web/sharing/badge.ts";
import { createRaster } from "../../../web/sharing/raster.ts";
import { pictureStanding } from "../../../web/sharing/standing.ts";
import { testApp } from "../../api/helpers.ts";
import { testPages } from "../page-kit.ts";
import { readPng } from "./png.ts";

/** Its first byte chooses the first palette. */
const SOUL_HASH = `0x00${"5a".repeat(31)}` as const;

type Agent = Partial<Omit<AgentProfile, "soulValidity">> & { readonly status?: string };

function profileOf({ status = "valid", ...changes }: Agent) {
  return {
    agentName: "heron",
    agentType: "specialist",
    tokenId: 7n,
    erc8004AgentId: 9n,
    genesisStatus: "SEALED",
    soulHash: SOUL_HASH,
    soulValidity: {
      status,
      passportOwnerMatch: true,
      lastChecked: new Date("2026-11-23T09:04:59Z"),
    },
    ...changes,
  } as AgentProfile;
}

function appWith(agent: Agent = {}) {
  const raster = createRaster();
  const drawn: string[] = [];
  const app = testApp({
    pages: testPages,
    profiles: {
      profile: async () => ({ at: { block: 5n, timestamp: 9n }, value: profileOf(agent) }),
    } as never,
    raster: {
      png(svg, width) {
        drawn.push(svg);
        return raster.png(svg, width);
      },
    },
  });
  return { app, drawn };
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe("the picture of an agent's link", () => {
  it("is a PNG of 1200 by 630 with the emblem, the standing and the page's ground", async () => {
    const { app } = appWith();
    const response = await app.request("/agents/heron/card.png");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    const bytes = await bytesOf(response);
    expect(bytes.length).toBeLessThan(150_000);
    const { width, height, at } = readPng(bytes);
    expect([width, height]).toEqual([1200, 630]);
    const [palette] = AVATAR_PALETTES;
    expect({
      paper: at(1190, 620),
      line: at(600, 6),
      ground: at(90, 200),
      disc: at(230, 322),
      pill: at(440, 226),
    }).toEqual({
      paper: "#f5f4ef",
      line: "#0e5a54",
      ground: palette?.ground,
      disc: palette?.disc,
      pill: "#1d6334",
    });
  });

  it("fades the emblem of a soul that may not be relied on, and says so in another colour", async () => {
    const { app } = appWith({ status: "suspended" });
    const { at } = readPng(await bytesOf(await app.request("/agents/heron/card.png")));
    expect(at(440, 226)).toBe("#8a5500");
    expect(at(90, 200)).not.toBe(AVATAR_PALETTES[0]?.ground);
  });

  it.each(["mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm", "w1", "heron-da45c8df3b145b57-abcdefghi"])(
    "writes %s with the fonts that it brings, between the margins",
    async (agentName) => {
      const { app } = appWith({ agentName });
      const { at } = readPng(await bytesOf(await app.request("/agents/heron/card.png")));
      const inked = Array.from({ length: 1200 }, (_, x) => x).filter((x) =>
        Array.from({ length: 60 }, (_, y) => at(x, 440 + y)).includes("#1c1f24"),
      );
      expect(inked.length).toBeGreaterThan(20);
      expect(inked.at(0)).toBeGreaterThanOrEqual(80);
      expect(inked.at(-1)).toBeLessThanOrEqual(1120);
    },
  );

  it("is not drawn for a client that holds it", async () => {
    const { app, drawn } = appWith();
    const first = await app.request("/agents/heron/card.png");
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    const held = await app.request("/agents/heron/card.png", { headers: { "if-none-match": tag } });
    expect([held.status, await held.text(), drawn.length]).toEqual([304, "", 1]);
  });

  it("stays the same for the rest of the day", async () => {
    const tagAt = async (time: string) => {
      const soulValidity = {
        status: "valid",
        passportOwnerMatch: true,
        lastChecked: new Date(time),
      };
      const { app } = appWith({ soulValidity } as Agent);
      return (await app.request("/agents/heron/card.png")).headers.get("etag");
    };
    const morning = await tagAt("2026-11-23T00:00:01Z");
    expect(await tagAt("2026-11-23T23:59:59Z")).toBe(morning);
    expect(await tagAt("2026-11-24T00:00:00Z")).not.toBe(morning);
  });

  it("exists for an agent without a soul", async () => {
    const { app } = appWith({ tokenId: null, soulHash: null, agentName: "agent-9" });
    const { at } = readPng(await bytesOf(await app.request("/agents/agent-9/card.png")));
    expect(at(230, 222)).toBe("#e2dfd4");
    expect(at(440, 226)).toBe("#565c66");
  });
});

describe("the pictures of an agent", () => {
  it.each(["card.png", "badge.svg"])(
    "lead from digits before /%s to both agents that they name, as the pages do",
    async (picture) => {
      const { app } = appWith();
      const answer = await app.request(`/agents/7/${picture}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/agents?q=7"]);
    },
  );
});

describe("the pictures of the service", () => {
  it.each([
    ["/card.png", 1200, 630],
    ["/apple-touch-icon.png", 180, 180],
  ])("%s is a PNG of %i by %i", async (path, width, height) => {
    const { app } = appWith();
    const picture = readPng(await bytesOf(await app.request(path)));
    expect([picture.width, picture.height]).toEqual([width, height]);
  });

  it("the favicon is an icon file with one PNG", async () => {
    const { app } = appWith();
    const response = await app.request("/favicon.ico");
    expect(response.headers.get("content-type")).toBe("image/x-icon");
    const file = Buffer.from(await response.arrayBuffer());
    expect([...file.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
    expect([file.readUInt8(6), file.readUInt32LE(18)]).toEqual([48, 22]);
    expect(file.readUInt32LE(14)).toBe(file.length - 22);
    expect(readPng(file.subarray(22)).width).toBe(48);
  });
});

describe("a badge", () => {
  it("says name, standing and the minute that it is of", async () => {
    const { app } = appWith();
    const response = await app.request("/agents/heron/badge.svg");
    expect(response.headers.get("content-type")).toBe("image/svg+xml");
    expect(response.headers.get("cache-control")).toBe("max-age=300, stale-while-revalidate=600");
    const svg = await response.text();
    expect(svg).toContain(
      "<title>heron: valid, as of 2026-11-23 09:04 UTC. Agent Identity</title>",
    );
    expect([...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text)).toEqual([
      "heron",
      "valid",
      "2026-11-23 09:04 UTC",
    ]);
  });

  it("is kept for a shorter time when the seal is not valid", async () => {
    const { app } = appWith({ status: "suspended" });
    const { headers } = await app.request("/agents/heron/badge.svg");
    expect(headers.get("cache-control")).toBe("max-age=30, stale-while-revalidate=60");
  });

  it("shows every character as text", () => {
    const standing = pictureStanding(profileOf({}));
    const svg = badgeSvg({ agentName: '</text><script x="&">\u0000', standing, asOf: null });
    expect(svg).not.toContain("<script");
    expect(svg).toContain("&lt;/text&gt;&lt;script x=&quot;&amp;&quot;&gt;\ufffd");
    expect(svg.match(/<text /g)).toHaveLength(2);
  });

  it.each([
    [{}, "valid"],
    [{ status: "suspended" }, "suspended"],
    [{ status: "not_linked" }, "not linked"],
    [{ genesisStatus: "BURNED", status: "not_linked" }, "burned"],
    [{ genesisStatus: "PROVISIONAL", status: "not_linked" }, "not sealed"],
    [{ tokenId: null, status: "not_linked" }, "passport only"],
    [{ tokenId: null, erc8004AgentId: null, status: "not_linked" }, "not sealed"],
  ] as const)("of %j says %s", (agent, word) => {
    expect(pictureStanding(profileOf(agent)).word).toBe(word);
  });
});

describe("drawing", () => {
  /** Draws when the test says so. */
  function heldBack() {
    const waiting: { svg: string; finish: (failure?: Error) => void }[] = [];
    const raster = createRaster(
      (svg) =>
        new Promise((resolve, reject) => {
          waiting.push({
            svg,
            finish: (failure) =>
              failure === undefined ? resolve(new TextEncoder().encode(svg)) : reject(failure),
          });
        }),
    );
    const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
    return { raster, waiting, settled };
  }

  it("draws one picture at a time, and each once", async () => {
    const { raster, waiting, settled } = heldBack();
    const all = [raster.png("a", 1), raster.png("b", 1), raster.png("a", 1)];
    await settled();
    expect(waiting.map(({ svg }) => svg)).toEqual(["a"]);
    waiting[0]?.finish();
    await settled();
    expect(waiting.map(({ svg }) => svg)).toEqual(["a", "b"]);
    waiting[1]?.finish();
    const texts = (await Promise.all(all)).map((bytes) => new TextDecoder().decode(bytes));
    expect(texts).toEqual(["a", "b", "a"]);
  });

  it("refuses more than 16 that wait, and takes the next once they are drawn", async () => {
    const { raster, waiting, settled } = heldBack();
    const accepted = Array.from({ length: 16 }, (_, n) => raster.png(String(n), 1));
    await expect(raster.png("late", 1)).rejects.toEqual(new ApiError("SERVICE_UNAVAILABLE"));
    for (let n = 0; n < 16; n++) {
      await settled();
      waiting[n]?.finish();
    }
    await Promise.all(accepted);
    await settled();
    const late = raster.png("late", 1);
    await settled();
    waiting[16]?.finish();
    expect(new TextDecoder().decode(await late)).toBe("late");
  });

  it("draws again what failed", async () => {
    const { raster, waiting, settled } = heldBack();
    const failed = raster.png("a", 1);
    await settled();
    waiting[0]?.finish(new Error("no memory"));
    await expect(failed).rejects.toThrow("no memory");
    const again = raster.png("a", 1);
    await settled();
    waiting[1]?.finish();
    expect(new TextDecoder().decode(await again)).toBe("a");
  });
});
