import type { LocalAccount } from "viem";
import { hashTypedData, keccak256, parseEventLogs, toFunctionSelector, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { organizationRegistryAbi, soulRegistryAbi } from "../../../../protocol/generated/abi.ts";
import {
  admitTypedData,
  contentHash,
  type RegistrationFile,
  registrationTypedData,
  withoutIds,
} from "../../../../protocol/index.ts";
import { agentVerbs } from "../../../fixtures/agent-verbs.ts";
import { ownerSession } from "../../../fixtures/agents.ts";
import { ownerSigned } from "../../../fixtures/owner-signed.ts";
import { freshName, registrationBody } from "../../../fixtures/registrations.ts";
import type { Service } from "../../../fixtures/service.ts";
import { startService } from "../../../fixtures/service.ts";
import { deployWorldId, type GivenProof, type WorldId } from "../../../fixtures/world-id.ts";
import type { Answer } from "../sign-in/harness.ts";
import { newAccount, refusal } from "../sign-in/harness.ts";

// What a registration may need beside its owner's signature: a proof that the owner is a person,
// and an organization's consent.

let service: Service;
let worldId: WorldId;
beforeAll(async () => {
  service = await startService({
    prepare: async (chain) => {
      worldId = await deployWorldId(chain);
    },
  });
});
afterAll(() => service?.stop());

const humanVerified = (tokenId: number) =>
  service.chain.client.readContract({
    address: service.chain.contracts.soulRegistry,
    abi: soulRegistryAbi,
    functionName: "humanVerified",
    args: [BigInt(tokenId)],
  });

async function fileOf({ body }: Answer): Promise<RegistrationFile> {
  return (await service.get(`/ar/${body.erc8004Url.split("/").at(-1)}`)).body;
}

/** A proof whose numbers are formatted by `write`. */
const written = (
  { merkle_root, nullifier_hash, proof }: GivenProof,
  write: (n: bigint) => unknown,
) => ({
  merkle_root: write(merkle_root),
  nullifier_hash: write(nullifier_hash),
  proof: proof.map(write),
});
const decimal = (n: bigint) => n.toString();

/** A signed registration with a proof that its owner obtained for the name. */
async function withProof(owner: LocalAccount) {
  const name = freshName();
  const proof = await worldId.prove(owner, name);
  const body = { ...registrationBody(name, owner), worldIdProof: written(proof, decimal) };
  return { proof, body, signed: await service.signedRegistration(body, owner) };
}

async function refused(signed: object) {
  const count = async () =>
    (await service.pool.query("select count(*)::int as n from app.registration")).rows[0].n;
  const before = await count();
  const answer = await service.submit(signed);
  expect(await count()).toBe(before);
  return refusal(answer);
}

/**
 * The answer before signing when the proof is replaced. A signature made with the right proof is
 * refused, because its message names that proof.
 */
async function refusedByBoth(
  { body, signed }: Pick<Awaited<ReturnType<typeof withProof>>, "body" | "signed">,
  worldIdProof: object,
) {
  const prepared = await service.post("/v1/typed-data/register", { ...body, worldIdProof });
  expect(await refused({ ...signed, worldIdProof })).toEqual({
    status: 400,
    type: "INVALID_REQUEST",
    details: {
      issues: [
        {
          path: "message.humanProofHash",
          message: expect.stringMatching(/^This request needs 0x[0-9a-f]{64}$/) as string,
        },
      ],
    },
  });
  return refusal(prepared);
}

/** The router's own error, as the verifier passed it on. */
const INVALID_PROOF = toFunctionSelector("InvalidProof()");

describe("a proof of personhood", () => {
  it.each<[string, (signed: object, proof: GivenProof) => string]>([
    ["decimal strings", (signed) => JSON.stringify(signed)],
    [
      "hex strings",
      (signed, proof) =>
        JSON.stringify({ ...signed, worldIdProof: written(proof, (n) => toHex(n)) }),
    ],
    [
      "JSON integers",
      (signed, proof) => {
        const marked = { ...signed, worldIdProof: written(proof, (n) => `integer ${n}`) };
        return JSON.stringify(marked).replaceAll(/"integer ([0-9]+)"/g, "$1");
      },
    ],
  ])("of %s is parsed without loss", async (_what, textOf) => {
    const { signed, proof } = await withProof(newAccount());
    const answer = await service.request("/v1/register", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: textOf(signed, proof),
    });
    expect(answer.status).toBe(201);
    expect(await humanVerified(answer.body.tokenId)).toBe(true);
    const file = await fileOf(answer);
    expect(file.supportedTrust).toEqual(["sbt-bound", "human-verified"]);
    expect(contentHash(withoutIds(file))).toBe(signed.message.contentHash);
  });

  it("is accepted with a claim, and applies to that claim alone", async () => {
    const { registerAgent, signedClaim, submitClaim } = agentVerbs(service);
    const [name, owner] = [freshName(), newAccount()];
    const { registrationId } = await registerAgent(name);
    const proof = await worldId.prove(owner, name);
    const editedData = { worldIdProof: written(proof, decimal) };
    const signed = await signedClaim(registrationId, owner, { editedData });
    // It can be neither removed nor added after signing.
    const bare = await signedClaim(registrationId, owner);
    const issues = [
      { path: "editedData", message: "These edits differ from those of this nonce's draft" },
    ];
    for (const changed of [
      { ...signed, editedData: {} },
      { ...bare, editedData },
    ]) {
      const answer = refusal(await submitClaim(changed));
      expect(answer).toEqual({ status: 400, type: "INVALID_REQUEST", details: { issues } });
    }
    const { status, body } = await submitClaim(signed);
    expect([status, body.genesisStatus]).toEqual([200, "SEALED"]);
    expect(await humanVerified(body.tokenId)).toBe(true);
    const file = (await service.get(`/ar/${body.newAgentUriTxId}`)).body;
    expect(file.supportedTrust).toEqual(["sbt-bound", "human-verified"]);
  });

  it("is accepted with a later seal, and not after that", async () => {
    const { registerAgent, signedClaim, submitClaim } = agentVerbs(service);
    const { signed, send } = ownerSigned(service);
    const [name, owner] = [freshName(), newAccount()];
    const { registrationId } = await registerAgent(name);
    const worldIdProof = written(await worldId.prove(owner, name), decimal);
    const early = await service.post("/v1/typed-data/claim", {
      registrationId,
      ownerAddress: owner.address,
      seal: false,
      editedData: { worldIdProof },
    });
    const message = "Leave it out, and send it with POST /v1/seal.";
    expect(refusal(early)).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues: [{ path: "worldIdProof", message }] },
    });
    const claim = await signedClaim(registrationId, owner, { seal: false });
    const { tokenId } = (await submitClaim(claim)).body;
    expect(await humanVerified(tokenId)).toBe(false);
    const body = { tokenId, worldIdProof };
    const sealed = await send("POST", "/v1/seal", await signed("seal", body, owner));
    expect(sealed).toMatchObject({ status: 200, body: { humanVerified: true } });
    expect(await humanVerified(tokenId)).toBe(true);
    const again = await send("POST", "/v1/typed-data/seal", body);
    expect(refusal(again)).toMatchObject({ status: 409, type: "ALREADY_SEALED" });
  });

  it("gives its owner tier 3 at sign-in; owners without a proof get tier 2", async () => {
    const { registerAgent, signedClaim, submitClaim } = agentVerbs(service);
    const [name, owner] = [freshName(), newAccount()];
    const { registrationId } = await registerAgent(name);
    const editedData = { worldIdProof: written(await worldId.prove(owner, name), decimal) };
    const claim = await submitClaim(await signedClaim(registrationId, owner, { editedData }));
    expect(claim.status).toBe(200);
    const { accessToken, ...session } = await ownerSession(service, owner, {
      scope: ["identity", "human_verified"],
      minTier: 3,
    });
    expect(session).toMatchObject({
      tier: 3,
      profile: {
        agentName: name,
        humanVerified: true,
        verifiedAt: expect.stringMatching(/Z$/) as string,
      },
    });
    const { body } = await service.post("/api/v1/auth/token/introspect", { token: accessToken });
    expect(body).toMatchObject({ active: true, tier: 3, humanVerified: true });

    const other = newAccount();
    await service.register(freshName(), other);
    expect(await ownerSession(service, other)).toMatchObject({
      tier: 2,
      profile: { humanVerified: false },
    });
    const { body: challenge } = await service.post("/api/v1/auth/challenge", {
      address: other.address,
      minTier: 3,
    });
    const { nonce, message } = challenge;
    const signature = await other.signMessage({ message });
    const refusedSignIn = await service.post("/api/v1/auth/verify", { nonce, message, signature });
    expect(refusal(refusedSignIn)).toEqual({
      status: 403,
      type: "TIER_TOO_LOW",
      details: { tier: 2, minTier: 3 },
    });
  });

  it("is absent from a registration without one", async () => {
    const { answer } = await service.register(freshName(), newAccount());
    expect(await humanVerified(answer.body.tokenId)).toBe(false);
    expect((await fileOf(answer)).supportedTrust).toEqual(["sbt-bound"]);
  });

  const failed = {
    status: 400,
    type: "INVALID_REQUEST",
    details: {
      reason: "VerificationFailed",
      args: { verifier: expect.any(String) as string, reason: INVALID_PROOF },
    },
  };

  it("with one number changed is refused", async () => {
    const own = await withProof(newAccount());
    const changed = { ...own.proof, proof: own.proof.proof.with(7, 2n ** 200n) };
    const answer = await refusedByBoth(own, written(changed, decimal));
    expect(answer).toEqual(failed);
    expect(answer.details.args.verifier).toMatch(new RegExp(worldId.verifier, "i"));
  });

  it("with another nullifier, or a nullifier outside the field, is refused", async () => {
    const own = await withProof(newAccount());
    const { proof } = own;
    const other = { ...proof, nullifier_hash: proof.nullifier_hash + 1n };
    expect(await refusedByBoth(own, written(other, decimal))).toEqual(failed);
    // The proof system would read it as an unused number.
    const order = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
    const wrapped = { ...proof, nullifier_hash: proof.nullifier_hash + order };
    const answer = await refusedByBoth(own, written(wrapped, decimal));
    expect(answer).toEqual({
      ...failed,
      details: {
        ...failed.details,
        args: {
          ...failed.details.args,
          reason: expect.stringContaining(
            toFunctionSelector("NullifierOutOfField(uint256)"),
          ) as string,
        },
      },
    });
  });

  it("that was used is refused for another agent, at registration and at a claim", async () => {
    const owner = newAccount();
    const { signed, proof } = await withProof(owner);
    expect((await service.submit(signed)).status).toBe(201);
    const worldIdProof = written(proof, decimal);
    expect(await refusedByBoth(await withProof(owner), worldIdProof)).toEqual(failed);

    const { registrationId } = await agentVerbs(service).registerAgent(freshName());
    const claim = { registrationId, ownerAddress: owner.address, editedData: { worldIdProof } };
    expect(refusal(await service.post("/v1/typed-data/claim", claim))).toEqual(failed);
  });

  it("of another owner is refused", async () => {
    const own = await withProof(newAccount());
    const proof = await worldId.prove(newAccount(), own.body.agentName);
    expect(await refusedByBoth(own, written(proof, decimal))).toEqual(failed);
  });

  it("that the signed message does not name is refused, and so is a missing one", async () => {
    const owner = newAccount();
    const { signed, body } = await withProof(owner);
    const { worldIdProof } = body;
    const without = { ...signed, worldIdProof: undefined };
    const FIELDS = ["contentHash", "humanVerifier", "humanProofHash"] as const;
    const says = (message: Readonly<Record<(typeof FIELDS)[number], string>>) => ({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: FIELDS.map((field) => ({
          path: `message.${field}`,
          message: `This request needs ${message[field]}`,
        })),
      },
    });
    const { worldIdProof: _, ...bodyWithout } = body;
    const plain = await service.signedRegistration(bodyWithout as never, owner);
    expect(await refused(without)).toEqual(says(plain.message));
    expect(await refused({ ...plain, worldIdProof })).toEqual(says(signed.message));
  });

  it.each<[string, (proof: GivenProof) => object, object[]]>([
    [
      "seven numbers",
      (proof) => ({ ...written(proof, decimal), proof: proof.proof.slice(1).map(decimal) }),
      [
        {
          path: "worldIdProof.proof",
          message: "Too small: expected array to have exactly 8 items",
        },
      ],
    ],
    [
      "a number of 257 bits",
      (proof) => ({ ...written(proof, decimal), merkle_root: (2n ** 256n).toString() }),
      [{ path: "worldIdProof.merkle_root", message: "Not an unsigned 256-bit integer" }],
    ],
    [
      "a negative number",
      (proof) => ({ ...written(proof, decimal), nullifier_hash: "-1" }),
      [{ path: "worldIdProof.nullifier_hash", message: "Not an unsigned 256-bit integer" }],
    ],
    [
      "words",
      (proof) => ({ ...written(proof, decimal), nullifier_hash: "one" }),
      [{ path: "worldIdProof.nullifier_hash", message: "Not an unsigned 256-bit integer" }],
    ],
    [
      "a fraction",
      (proof) => ({ ...written(proof, decimal), nullifier_hash: 1.5 }),
      [{ path: "worldIdProof.nullifier_hash", message: "Invalid input" }],
    ],
    [
      "another member",
      (proof) => ({ ...written(proof, decimal), credential: "device" }),
      [{ path: "worldIdProof.credential", message: "Unknown field" }],
    ],
  ])("with %s is refused before any other check", async (_what, change, issues) => {
    const { signed, proof } = await withProof(newAccount());
    expect(await refused({ ...signed, worldIdProof: change(proof) })).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { issues },
    });
  });
});

describe("an organization with another admin", () => {
  let admin: LocalAccount;
  let organizationId: number;
  beforeAll(async () => {
    admin = newAccount();
    const { chain } = service;
    await chain.fund(admin.address);
    const hash = await chain.client.writeContract({
      account: admin,
      address: chain.contracts.organizationRegistry,
      abi: organizationRegistryAbi,
      functionName: "create",
      args: [{ name: "Weir watch", admin: admin.address, nonce: 1n, deadline: 2n ** 40n }, "0x"],
    });
    const { logs } = await chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    const [log] = parseEventLogs({
      abi: organizationRegistryAbi,
      eventName: "OrganizationCreated",
      logs,
    });
    organizationId = Number(log?.args.organizationId);
  });

  /** A registration that its owner signed, and the consent that the admin signs. */
  async function joining(owner: LocalAccount) {
    const body = { ...registrationBody(freshName(), owner), organizationId };
    const signed = await service.signedRegistration(body, owner);
    const { contracts } = service.chain;
    const numbers = (
      ["passportId", "parentTokenId", "organizationId", "nonce", "deadline"] as const
    ).map((field) => [field, BigInt(signed.message[field])]);
    const registrationDigest = hashTypedData(
      registrationTypedData({
        chainId: 31337,
        verifyingContract: contracts.soulRegistry,
        message: { ...signed.message, ...Object.fromEntries(numbers) },
      }),
    );
    const consent = async (signer: LocalAccount, change: object = {}) => {
      const message = {
        registrationDigest,
        organizationId: BigInt(organizationId),
        nonce: BigInt(keccak256(toHex(body.agentName))),
        deadline: 2n ** 40n,
        ...change,
      };
      const place = { chainId: 31337, verifyingContract: contracts.organizationRegistry };
      const signature = await signer.signTypedData(admitTypedData({ ...place, message }));
      const text = (value: unknown) => (typeof value === "bigint" ? value.toString() : value);
      return {
        message: Object.fromEntries(Object.entries(message).map(([k, v]) => [k, text(v)])),
        signature,
      };
    };
    return { body, signed, registrationDigest, consent };
  }

  const organizationOf = (tokenId: number) =>
    service.chain.client.readContract({
      address: service.chain.contracts.organizationRegistry,
      abi: organizationRegistryAbi,
      functionName: "organizationOf",
      args: [BigInt(tokenId)],
    });

  it("admits an agent with the admin's signature beside the owner's", async () => {
    const { signed, consent } = await joining(newAccount());
    const answer = await service.submit({ ...signed, adminSignature: await consent(admin) });
    expect(answer.status).toBe(201);
    expect(await organizationOf(answer.body.tokenId)).toBe(BigInt(organizationId));
  });

  it("needs one signature when owner and admin are the same account", async () => {
    const { signed } = await joining(admin);
    const answer = await service.submit(signed);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("sunset")).toBeNull();
    expect(await organizationOf(answer.body.tokenId)).toBe(BigInt(organizationId));
  });

  it("also accepts the former parameter name, which is deprecated", async () => {
    const { organizationId: fleetId, ...body } = (await joining(admin)).body;
    const signed = await service.signedRegistration({ ...body, fleetId } as never, admin);
    const answer = await service.submit(signed);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("sunset")).toBe("Wed, 01 Dec 2027 00:00:00 GMT");
    expect(answer.headers.get("deprecation")).toMatch(/^@[0-9]+$/);
    expect(await organizationOf(answer.body.tokenId)).toBe(BigInt(fleetId));
  });

  it("admits no agent without the admin's consent", async () => {
    const { signed } = await joining(newAccount());
    expect(await refused(signed)).toEqual({
      status: 403,
      type: "FORBIDDEN",
      details: {
        reason: "AdminConsentRequired",
        args: { organizationId: Number(organizationId), admin: admin.address },
      },
    });
  });

  it("admits no agent by another account's signature", async () => {
    const { signed, consent } = await joining(newAccount());
    const adminSignature = await consent(newAccount());
    expect(await refused({ ...signed, adminSignature })).toMatchObject({
      status: 401,
      type: "INVALID_SIGNATURE",
      details: { reason: "InvalidSignature", args: { signer: admin.address } },
    });
  });

  it("admits exactly the registration that the consent names", async () => {
    const one = await joining(newAccount());
    const other = await joining(newAccount());
    const adminSignature = await one.consent(admin);
    expect(await refused({ ...other.signed, adminSignature })).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [
          {
            path: "adminSignature.message.registrationDigest",
            message: `The request says ${other.registrationDigest}`,
          },
        ],
      },
    });
  });

  it("admits no agent by a consent for another organization", async () => {
    const { signed, consent } = await joining(newAccount());
    const adminSignature = await consent(admin, { organizationId: 99n });
    expect(await refused({ ...signed, adminSignature })).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: {
        issues: [
          {
            path: "adminSignature.message.organizationId",
            message: `The request says ${organizationId}`,
          },
        ],
      },
    });
  });
});

describe("a verifier whose approval was withdrawn", () => {
  it("proves nothing", async () => {
    const { signed } = await withProof(newAccount());
    await worldId.remove();
    const answer = await refused(signed);
    expect(answer).toEqual({
      status: 400,
      type: "INVALID_REQUEST",
      details: { reason: "VerifierNotApproved", args: { verifier: expect.any(String) as string } },
    });
    expect(answer.details.args.verifier).toMatch(new RegExp(worldId.verifier, "i"));
  });
});
