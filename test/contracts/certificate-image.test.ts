import { readFile } from "node:fs/promises";
import fc from "fast-check";
import hre from "hardhat";
import { type Abi, type Hex, parseEther } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soulCertificateAbi } from "../../protocol/generated/abi.ts";
import { soulEmblem } from "../../protocol/index.ts";
import { type SignInChain, startSignInChain } from "../fixtures/sign-in-chain.ts";
import { nameVectors } from "../protocol/vectors.ts";
import { elementsOf, readXml, type XmlElement } from "../protocol/xml.ts";

const STANDINGS = ["provisional", "valid", "suspended", "not linked"] as const;

const numRuns = process.env.CI ? 200 : 40;

interface Face {
  readonly name: string;
  readonly passportId: bigint;
  readonly epoch: bigint;
  readonly standing: number;
  readonly soulHash: Hex;
}

const face: fc.Arbitrary<Face> = fc.record({
  name: fc.oneof(
    fc.constantFrom(...nameVectors.valid),
    fc.stringMatching(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/),
  ),
  passportId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  epoch: fc.bigInt({ min: 1n, max: 65_535n }),
  standing: fc.integer({ min: 0, max: 3 }),
  soulHash: fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`),
});

const textsOf = (root: XmlElement, name: string): string[] =>
  elementsOf(root)
    .filter((element) => element.name === name)
    .map(({ children }) => children.join(""));

describe("a certificate's picture", () => {
  let connection: Awaited<ReturnType<typeof hre.network.create>>;
  let draw: (face: Face) => Promise<string>;

  beforeAll(async () => {
    connection = await hre.network.create();
    const { address } = await connection.viem.deployContract("CertificateImageHarness");
    const path =
      "../../artifacts/contracts/mocks/CertificateImageHarness.sol/CertificateImageHarness.json";
    const { abi } = JSON.parse(await readFile(new URL(path, import.meta.url), "utf8")) as {
      abi: Abi;
    };
    const client = await connection.viem.getPublicClient();
    draw = async (of) =>
      String(await client.readContract({ address, abi, functionName: "svg", args: [of] }));
  });

  afterAll(() => connection.close());

  it("is a well-formed drawing with the same emblem as the avatar", async () => {
    await fc.assert(
      fc.asyncProperty(face, async (of) => {
        const svg = await draw(of);
        const root = readXml(svg);
        expect(root.name).toBe("svg");
        expect(root.attributes).toStrictEqual({
          xmlns: "http://www.w3.org/2000/svg",
          viewBox: "0 0 512 512",
          role: "img",
        });
        for (const { name, attributes } of elementsOf(root)) {
          expect(name).toMatch(/^(svg|title|rect|g|circle|path|text)$/);
          for (const key of Object.keys(attributes)) expect(key).not.toMatch(/^on|href|style|id$/);
        }
        expect(svg).toContain(`>${soulEmblem(of.soulHash)}</g>`);
      }),
      { numRuns },
    );
  });

  it("states the name, the passport, the epoch and the status", async () => {
    await fc.assert(
      fc.asyncProperty(face, async (of) => {
        const root = readXml(await draw(of));
        expect(textsOf(root, "title")).toStrictEqual([of.name]);
        expect(textsOf(root, "text")).toStrictEqual([
          of.name,
          `passport ${of.passportId} · epoch ${of.epoch}`,
          STANDINGS[of.standing],
        ]);
      }),
      { numRuns },
    );
  });

  it("keeps every line within the frame", async () => {
    await fc.assert(
      fc.asyncProperty(face, async (of) => {
        const lines = elementsOf(readXml(await draw(of))).filter(({ name }) => name === "text");
        expect(lines).toHaveLength(3);
        for (const { children, attributes } of lines) {
          // A character of a fixed-width font is at most 0.61 of its size wide.
          const width = children.join("").length * Number(attributes["font-size"]) * 0.61;
          expect(width).toBeLessThanOrEqual(488);
        }
      }),
      { numRuns },
    );
  });

  it("fades the emblem of an invalid soul", async () => {
    const of = {
      name: "ada",
      passportId: 1n,
      epoch: 1n,
      soulHash: `0x${"5a".repeat(32)}`,
    } as const;
    const isFaded = await Promise.all(
      STANDINGS.map(async (_word, standing) =>
        (await draw({ ...of, standing })).includes(
          '<g transform="translate(256 196) scale(.7)" opacity=".35">',
        ),
      ),
    );
    expect(isFaded).toStrictEqual([true, false, true, true]);
  });
});

describe("a certificate's metadata", () => {
  let chain: SignInChain;

  beforeAll(async () => {
    chain = await startSignInChain();
  });

  afterAll(() => chain.stop());

  async function metadataOf(tokenId: bigint) {
    const uri = await chain.client.readContract({
      address: chain.contracts.soulCertificate,
      abi: soulCertificateAbi,
      functionName: "tokenURI",
      args: [tokenId],
    });
    const prefix = "data:application/json;base64,";
    expect(uri.startsWith(prefix)).toBe(true);
    const { image, ...rest } = JSON.parse(
      Buffer.from(uri.slice(prefix.length), "base64").toString("utf8"),
    ) as { image: string };
    const picture = "data:image/svg+xml;base64,";
    expect(image.startsWith(picture)).toBe(true);
    return { rest, svg: Buffer.from(image.slice(picture.length), "base64").toString("utf8") };
  }

  it("is JSON with every attribute and the picture, and follows the passport's owner", async () => {
    const owner = privateKeyToAccount(generatePrivateKey());
    await chain.client.setBalance({ address: owner.address, value: parseEther("1") });
    const { tokenId, passportId } = await chain.registerSoul(owner, "ada-on-chain");
    const soulHash = `0x${"a1".repeat(32)}` as const;
    const expected = (status: string) => ({
      name: "ada-on-chain",
      description: "Soulbound certificate of an agent's sealed soul.",
      attributes: [
        { trait_type: "passport", value: passportId.toString() },
        { trait_type: "epoch", value: 1 },
        { trait_type: "status", value: status },
        { trait_type: "soulHash", value: soulHash },
      ],
    });
    const words = (status: string) => ["ada-on-chain", `passport ${passportId} · epoch 1`, status];

    const valid = await metadataOf(tokenId);
    expect(valid.rest).toStrictEqual(expected("valid"));
    expect(textsOf(readXml(valid.svg), "text")).toStrictEqual(words("valid"));
    expect(valid.svg).toContain(soulEmblem(soulHash));

    await chain.transferPassport(passportId, owner, chain.contracts.soulRegistry);
    const suspended = await metadataOf(tokenId);
    expect(suspended.rest).toStrictEqual(expected("suspended"));
    expect(textsOf(readXml(suspended.svg), "text")).toStrictEqual(words("suspended"));
  });
});
