import type { Address, Hex } from "viem";
import { describe, expect, it } from "vitest";
import type { Audit } from "../../../../api/features/audits/audits.ts";
import type { UploadPart } from "../../../../api/features/audits/files.ts";
import {
  type AuditUploadDeps,
  createAuditUploads,
} from "../../../../api/features/audits/uploads.ts";
import { ApiError } from "../../../../api/kernel/errors.ts";
import type { ChainSoul } from "../../../../api/soul/chain-soul.ts";
import type { DisclosurePolicy, Field } from "../../../../protocol/index.ts";
import { FIELDS } from "../../../../protocol/index.ts";

// The order of an upload's steps, and what is left when one of them fails.

const OWNER: Address = `0x${"a1".repeat(20)}`;
const HASH: Hex = `0x${"11".repeat(32)}`;
const NEVER: DisclosurePolicy = {
  name: "P",
  preferredMode: "either",
  rules: [{ fields: ["soul.personality"], condition: "never" }],
  defaultExpiry: "30d",
};

const SOUL = {
  tokenId: 7n,
  epoch: 1,
  name: "heron",
  status: "SEALED",
  validity: "VALID",
  owner: OWNER,
  passportOwner: OWNER,
  sealer: OWNER,
  suspended: false,
  soulHash: HASH,
  soulMerkleRoot: HASH,
  block: 5n,
} as unknown as ChainSoul;

const AUDIT: Audit = {
  id: "an-audit",
  kind: "regulatory",
  tokenId: 7n,
  epoch: 1,
  organizationId: null,
  signer: OWNER,
  regulatoryBody: "River Authority",
  regulatoryDid: "did:web:river.example",
  scope: "full_soul",
  auditReference: "RA-1",
  createdAt: new Date(0),
  uploadExpiresAt: new Date(1_000),
  completedAt: null,
  archiveId: null,
};

async function* parts(): AsyncGenerator<UploadPart> {
  yield { kind: "signature", value: "0x11" };
  yield { kind: "file", bytes: new Uint8Array(3) };
}

interface Change {
  readonly fileHash?: Hex;
  readonly policies?: readonly (DisclosurePolicy | null)[];
  readonly failing?: readonly ("archive" | "deliver" | "delivered")[];
}

/** An upload of a soul's file, and what it did. */
function world({ fileHash = HASH, policies = [null, null], failing = [] }: Change = {}) {
  const steps: string[] = [];
  const added: (readonly Field[])[] = [];
  const logged: unknown[] = [];
  const remaining = [...policies];
  const fails = (step: "archive" | "deliver" | "delivered") => {
    steps.push(step);
    if (failing.includes(step)) throw new TypeError("a private value");
  };
  const deps = {
    store: {
      inTransaction: (work: (tx: string) => unknown) => work("tx"),
      find: async () => AUDIT,
      lock: async () => AUDIT,
      takeTries: async () => {
        steps.push("try");
        return [];
      },
      complete: async () => void steps.push("complete"),
      unarchived: async () => ({}),
      archived: async () => undefined,
      delivered: async () => fails("delivered"),
    },
    disclosures: {
      add: async (_tx: string, { fields }: { fields: readonly Field[] }) => void added.push(fields),
    },
    souls: { soul: async () => SOUL, byTokenId: async () => SOUL, read: async () => SOUL },
    history: {
      archivedClaim: async () => {
        steps.push("history");
        return null;
      },
      chronicles: async () => ({ valid: 0, invalid: 0, pending: 0 }),
    },
    secrets: {
      salt: async () => HASH,
      policy: async () => remaining.shift() ?? null,
    },
    reader: {
      run: async (_task: string, { valuesOf }: { valuesOf: readonly Field[] }) => ({
        agentName: "heron",
        soul: {
          soulHash: fileHash,
          soulMerkleRoot: HASH,
          fields: FIELDS.map((field) => ({
            field,
            merkleProof: [],
            value: valuesOf.includes(field) ? "x" : null,
          })),
        },
      }),
    },
    signatures: { assertSigned: async () => undefined },
    archive: {
      archive: async () => {
        fails("archive");
        return "item";
      },
    },
    deliver: async () => {
      fails("deliver");
      return "https://river.example";
    },
    place: { chainId: 1, soulRegistry: OWNER, soulView: OWNER },
    log: { warn: (details: object, message: string) => logged.push([details, message]) },
    clock: () => new Date(500),
    newId: () => "an-id",
  } as unknown as AuditUploadDeps;
  const upload = () => createAuditUploads(deps).regulatory(AUDIT.id, parts());
  return { upload, steps, added, logged };
}

describe("an upload of an audit", () => {
  it("refuses a file that is not the soul before it reads any history", async () => {
    const { upload, steps } = world({ fileHash: `0x${"22".repeat(32)}` });
    const refusal = await upload().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect((refusal as ApiError).type).toBe("HASH_MISMATCH");
    expect(steps).toEqual(["try"]);
  });

  it("releases nothing that the owner forbade while the file arrived", async () => {
    const { upload, added } = world({ policies: [null, NEVER] });
    const { package: made } = await upload();
    const released = FIELDS.filter((field) => field !== "soul.personality");
    expect(added).toEqual([released]);
    expect(made.document?.disclosures.map(({ field }) => field)).toEqual(released);
    expect(made.agents[0]?.fields.map(({ field }) => field)).toEqual(released);
  });

  it("releases no field whose value was left out when the file was read", async () => {
    const { upload, added } = world({ policies: [NEVER, null] });
    await upload();
    expect(added).toEqual([FIELDS.filter((field) => field !== "soul.personality")]);
  });

  it("answers with the package when a step fails after the audit is complete", async () => {
    const { upload, steps, logged } = world({ failing: ["archive", "deliver"] });
    const done = await upload();
    expect(steps).toEqual(["try", "history", "complete", "archive", "deliver"]);
    expect([done.archiveId, done.deliveredTo]).toEqual([null, null]);
    expect(done.package.document?.disclosures).toHaveLength(FIELDS.length);
    const details = { auditId: AUDIT.id, reason: "TypeError" };
    expect(logged).toEqual([
      [details, "a completed audit could not be archived"],
      [details, "a completed audit could not be sent"],
    ]);
  });

  it("says who took the package when that cannot be stored", async () => {
    const { upload, logged } = world({ failing: ["delivered"] });
    expect((await upload()).deliveredTo).toBe("https://river.example");
    expect(logged).toEqual([
      [{ auditId: AUDIT.id, reason: "TypeError" }, "a completed audit could not be marked as sent"],
    ]);
  });
});
