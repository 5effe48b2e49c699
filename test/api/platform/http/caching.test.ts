import type { Address } from "viem";
import { describe, expect, it } from "vitest";
import { createDomainVerification } from "../../../../api/features/domains/domains.ts";
import { createRegistrationFileService } from "../../../../api/features/passports/registration-file.ts";
import { CACHE_RULES } from "../../../../api/platform/http/cache-rules.ts";
import type { IndexedAgent, Reading } from "../../../../api/soul/index-reads.ts";
import { testApp } from "../../helpers.ts";

// How long copies of an agent's files may be cached: longer only while the seal is valid.

const SEALER: Address = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const BUYER: Address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const FILE = { name: "heron" };

function appWith(owner: Address, status: "SEALED" | "PROVISIONAL") {
  const agent = {
    soul: { name: "heron", tokenId: 1n, passportId: 7n, status, sealer: SEALER },
    passport: { id: 7n, owner, uri: `ar://${"A".repeat(43)}` },
  } as IndexedAgent;
  const found = async (): Promise<Reading<IndexedAgent>> => ({
    at: { block: 5n, timestamp: 1n },
    value: agent,
  });
  const reads = { agent: found };
  return testApp({
    registrationFiles: createRegistrationFileService({
      reads,
      files: { read: async () => ({ text: JSON.stringify(FILE) }) },
    }),
    domains: createDomainVerification({
      context: { chainId: 31337, identityRegistry: BUYER },
      reads,
      registered: { registeredPassports: async () => [] },
      keepMs: 0,
      clock: () => new Date(0),
    }),
  });
}

describe.each([
  "/v1/registration-file/heron",
  "/agents/heron/registration.json",
  "/v1/domain-verification/1",
])("Cache-Control of %s", (path) => {
  it.each([
    ["long while the sealer owns the passport", SEALER, "SEALED", "sealed"],
    ["short once the passport is sold", BUYER, "SEALED", "other"],
    ["short before the seal", SEALER, "PROVISIONAL", "other"],
  ] as const)("is %s", async (_title, owner, status, variant) => {
    const answer = await appWith(owner, status).request(path);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([
      200,
      CACHE_RULES.profile[variant],
    ]);
    expect(answer.headers.get("x-svc-block")).toBe("5");
  });
});
