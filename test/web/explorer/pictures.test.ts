import { describe, expect, it } from "vitest";
import { keptPictures } from "../../../web/explorer/pictures.ts";

const face = {
  tokenId: 7n,
  genesisStatus: "SEALED",
  soulValidity: "valid",
  epoch: 1,
  soulHash: "0x01",
} as const;

/** Pictures that name their block; reads fail while `fault` is set. */
function counted() {
  const read: bigint[] = [];
  const state = { fault: null as Error | null };
  const pictures = keptPictures({
    async drawing(_tokenId, block) {
      read.push(block);
      if (state.fault !== null) throw state.fault;
      return `<svg>${block}</svg>`;
    },
  });
  return { pictures, read, state };
}

describe("the pictures of certificates", () => {
  it("are read once, however many ask and however many blocks follow", async () => {
    const { pictures, read } = counted();
    const [one, two] = await Promise.all([pictures.picture(face, 5n), pictures.picture(face, 6n)]);
    expect([one, two, await pictures.picture(face, 9n)]).toEqual(Array(3).fill("<svg>5</svg>"));
    expect(read).toEqual([5n]);
  });

  it.each([
    ["standing", { soulValidity: "suspended" }],
    ["seal", { genesisStatus: "PROVISIONAL" }],
    ["epoch", { epoch: 2 }],
    ["soul hash", { soulHash: "0x02" }],
    ["certificate", { tokenId: 8n }],
  ] as const)("are read again for another %s, in the block that says so", async (_, change) => {
    const { pictures } = counted();
    await pictures.picture(face, 5n);
    expect(await pictures.picture({ ...face, ...change }, 6n)).toBe("<svg>6</svg>");
    expect(await pictures.picture(face, 7n)).toBe("<svg>5</svg>");
  });

  it("are asked for again after a failure", async () => {
    const { pictures, read, state } = counted();
    state.fault = new Error("The node is down.");
    await expect(pictures.picture(face, 5n)).rejects.toThrow("The node is down.");
    state.fault = null;
    expect(await pictures.picture(face, 6n)).toBe("<svg>6</svg>");
    expect(read).toEqual([5n, 6n]);
  });
});
