import { randomUUID } from "node:crypto";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SUNSET } from "../../api/platform/http/operations.ts";
import { verifyFieldProof } from "../../protocol/index.ts";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { bearer } from "../fixtures/agents.ts";
import {
  type AuditableAgent,
  auditableAgent,
  auditVerbs,
  fileOf,
  TERMS,
  uploadForm,
} from "../fixtures/audits.ts";
import { everythingStored } from "../fixtures/everything-stored.ts";
import { startOpenReceiver } from "../fixtures/open-webhooks.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Audits over HTTP: what owners and admins sign, and the files that they upload.

let service: Service;
let audits: ReturnType<typeof auditVerbs>;
let world: ReturnType<typeof organizationVerbs>;
let receiver: Awaited<ReturnType<typeof startOpenReceiver>>;
let heron: AuditableAgent;
beforeAll(async () => {
  service = await sharedService();
  audits = auditVerbs(service);
  world = organizationVerbs(service);
  receiver = await startOpenReceiver(service);
  heron = await auditableAgent(service);
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/) as string;
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const ITEM = expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string;
const PROVED = {
  soulHashMatch: true,
  merkleRootMatch: true,
  arweaveArchiveMatch: true,
  allChronicleRecordsValid: true,
};
const DAY_MS = 24 * 3_600_000;

const refused = ({ status, body }: Answer) => [status, body.error?.type];
const issuesOf = ({ body }: Answer) => body.error.details.issues;

const auditRows = async (auditId: string) => {
  const { rows } = await service.pool.query(
    "select completed_at, record, archive_id from app.audit where id = $1",
    [auditId],
  );
  return rows;
};
const isOpen = async (auditId: string) => (await auditRows(auditId))[0].completed_at === null;

const historyOf = async ({ tokenId, apiKey }: AuditableAgent) =>
  (await service.request(`/v1/disclose/history/${tokenId}`, { headers: bearer(apiKey) })).body
    .records;

describe("a regulatory audit", () => {
  it("is signed by the owner, and waits for seven days", async () => {
    const webhook = await receiver.subscribe(heron, ["audit.requested"]);
    const body = { tokenId: heron.tokenId, ...TERMS };
    const signed = await audits.signed("regulatory-audit", body, heron.owner);
    expect(Object.keys(signed.message).sort()).toEqual(
      ["auditReference", "deadline", "epoch", "nonce", "regulatoryBody"].concat([
        "regulatoryDid",
        "scope",
        "tokenId",
      ]),
    );
    const before = Date.now();
    const answer = await audits.send("POST", "/v1/disclose/regulatory", signed);
    expect(answer.status).toBe(202);
    const { auditId, uploadExpiresAt } = answer.body;
    expect(answer.body).toEqual({
      auditId: UUID,
      tokenId: heron.tokenId,
      status: "awaiting_ccsf_upload",
      uploadUrl: `${service.url}/v1/disclose/regulatory/${auditId}/upload`,
      uploadExpiresAt: TIME,
      note: "Upload within 7 days, signed by the same account. A file is read in memory, and never stored.",
    });
    expect(Date.parse(uploadExpiresAt)).toBeGreaterThanOrEqual(before + 7 * DAY_MS);
    expect(Date.parse(uploadExpiresAt)).toBeLessThanOrEqual(Date.now() + 7 * DAY_MS);

    // The first answer may have been lost.
    const repeated = await audits.send("POST", "/v1/disclose/regulatory", signed);
    expect([repeated.status, repeated.body]).toEqual([202, answer.body]);
    const [event] = await webhook.arrived(1);
    expect(event).toMatchObject({
      event: "audit.requested",
      data: {
        auditId,
        kind: "regulatory",
        tokenId: heron.tokenId,
        organizationId: null,
        ...TERMS,
        uploadExpiresAt,
      },
    });
  });

  it("refuses another signer, an unsigned request and terms that were not signed", async () => {
    const body = { tokenId: heron.tokenId, ...TERMS };
    const path = "/v1/disclose/regulatory";
    const stranger = await audits.signed("regulatory-audit", body, newAccount());
    expect(refused(await audits.send("POST", path, stranger))).toEqual([403, "NOT_OWNER"]);
    expect(refused(await audits.send("POST", path, body))).toEqual([
      403,
      "WALLET_SIGNATURE_REQUIRED",
    ]);
    const signed = await audits.signed("regulatory-audit", body, heron.owner);
    const changed = await audits.send("POST", path, { ...signed, scope: "another" });
    expect(refused(changed)).toEqual([400, "INVALID_REQUEST"]);
    expect(issuesOf(changed)).toEqual([
      { path: "message.scope", message: "This request needs another" },
    ]);
    const hidden = { ...body, regulatoryBody: "River \u202eytirohtuA" };
    expect(issuesOf(await audits.send("POST", "/v1/typed-data/regulatory-audit", hidden))).toEqual([
      { path: "regulatoryBody", message: "Has control characters" },
    ]);
    const badDid = { ...body, regulatoryDid: "river authority" };
    const prepared = await audits.send("POST", "/v1/typed-data/regulatory-audit", badDid);
    expect(issuesOf(prepared)).toEqual([{ path: "regulatoryDid", message: "Not a DID" }]);
    const unknown = { ...body, tokenId: 999_999 };
    expect(refused(await audits.send("POST", "/v1/typed-data/regulatory-audit", unknown))).toEqual([
      404,
      "NOT_FOUND",
    ]);
  });

  it("verifies the uploaded soul, records the results for ever, and keeps no value", async () => {
    const canary = "canary-of-an-audited-soul";
    const agent = await auditableAgent(service, { purpose: canary });
    await service.post(
      "/v1/disclose/policy",
      {
        tokenId: agent.tokenId,
        policy: { name: "P", rules: [{ fields: ["soul.personality"], condition: "never" }] },
      },
      bearer(agent.apiKey),
    );
    const auditId = await audits.request(agent);
    const answer = await audits.uploadOne(auditId, agent);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { body } = answer;
    expect(body).toEqual({
      auditId,
      tokenId: agent.tokenId,
      agentName: agent.name,
      scope: "full_soul",
      verification: PROVED,
      chronicles: { valid: 0, invalid: 0, pending: expect.any(Number) as number },
      auditPackageDelivered: false,
      deliveredTo: null,
      signedBy: agent.owner.address,
      block: expect.any(Number) as number,
      issuedAt: TIME,
      expiresAt: TIME,
      arweaveAuditTxId: ITEM,
      ccsf_handling:
        "Each file was held in memory only, and compared with the chain. Nothing of its content was stored or logged. The package was not delivered: pass it on yourself.",
      package: expect.any(Object) as object,
    });
    expect(Date.parse(body.expiresAt) - Date.parse(body.issuedAt)).toBe(30 * DAY_MS);

    const { document, agents } = body.package;
    const fields = document.disclosures.map(({ field }: { field: string }) => field);
    expect(fields).toHaveLength(11);
    expect(fields).not.toContain("soul.personality");
    expect(agents[0].fields).toHaveLength(11);
    for (const { field, value, merkleProof, merkleRoot } of document.disclosures) {
      expect(verifyFieldProof({ root: merkleRoot, field, value, merkleProof })).toBe(true);
    }
    expect(document).toMatchObject({
      format: "svc-disclosure-document-v1",
      agentName: agent.name,
      tokenId: agent.tokenId,
      issuedTo: TERMS.regulatoryDid,
    });

    const archived = await service.get(`/ar/${body.arweaveAuditTxId}`);
    expect(archived.body).toEqual({
      format: "svc-audit-record/1",
      auditId,
      kind: "regulatory",
      chainId: 31337,
      soulRegistry: service.chain.contracts.soulRegistry,
      organizationId: null,
      ...TERMS,
      signedBy: agent.owner.address,
      block: String(body.block),
      issuedAt: body.issuedAt,
      expiresAt: body.expiresAt,
      agents: [
        {
          tokenId: String(agent.tokenId),
          epoch: 1,
          agentName: agent.name,
          soulHash: agent.hashes.soulHash,
          soulMerkleRoot: agent.hashes.soulMerkleRoot,
          status: "verified",
          reason: null,
          verification: PROVED,
          chronicles: body.chronicles,
        },
      ],
    });
    expect(await historyOf(agent)).toEqual([
      {
        disclosureId: UUID,
        fields,
        recipientDid: TERMS.regulatoryDid,
        recipientName: TERMS.regulatoryBody,
        trigger: "regulatory_audit",
        issuedAt: body.issuedAt,
        expiresAt: body.expiresAt,
        revokedAt: null,
        status: "active",
      },
    ]);
    expect(JSON.stringify(body)).toContain(canary);
    expect(await everythingStored(service.pool)).not.toContain(canary);
    expect((await service.logLines()).join("\n")).not.toContain(canary);

    const again = await audits.uploadOne(auditId, agent);
    expect(refused(again)).toEqual([410, "GONE"]);
    expect(again.body.error.details).toMatchObject({
      completedAt: body.issuedAt,
      arweaveAuditTxId: body.arweaveAuditTxId,
    });
  });

  it("takes YAML, and a salt of the upload's own in place of the stored one", async () => {
    const auditId = await audits.request(heron);
    const wrong = { ...fileOf(heron), salt: `0x${"11".repeat(32)}` };
    const refusal = await audits.uploadOne(auditId, heron, wrong);
    expect(refused(refusal)).toEqual([422, "HASH_MISMATCH"]);
    expect(refusal.body.error.details.files).toEqual([
      { part: "file", agentName: heron.name, soulHashMatch: false, merkleRootMatch: false },
    ]);
    expect(await isOpen(auditId)).toBe(true);
    const yaml = [
      "identity:",
      `  name: ${heron.name}`,
      "  agent_type: specialist",
      `  description: ${heron.ccsf.identity.description}`,
      "soul:",
      `  purpose: ${heron.ccsf.soul.purpose}`,
      `  personality: ${heron.ccsf.soul.personality}`,
      "  constraints: [Stay dry.]",
      "capabilities:",
      "  skills: [counting]",
      "  languages: [en]",
    ].join("\n");
    const right = await audits.uploadOne(auditId, heron, { text: yaml, salt: heron.salt });
    expect(right.status, JSON.stringify(right.body)).toBe(200);
    expect(right.body.verification).toEqual(PROVED);
  });

  it("compares three files at most, also of parallel uploads", async () => {
    const auditId = await audits.request(heron);
    const guess = (purpose: string) => ({
      text: JSON.stringify({ ...heron.ccsf, soul: { ...heron.ccsf.soul, purpose } }),
    });
    const answers = await Promise.all(
      ["a", "b", "c", "d", "e"].map((letter) => audits.uploadOne(auditId, heron, guess(letter))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([422, 422, 422, 429, 429]);
    const last = await audits.uploadOne(auditId, heron);
    expect(refused(last)).toEqual([429, "RATE_LIMIT_EXCEEDED"]);
    expect(last.body.error.message).toBe(
      "An audit takes 3 files of one agent, and these agents have had theirs. Leave them out, or sign a new audit.",
    );
    expect(await isOpen(auditId)).toBe(true);
  });

  it("is completed by one of two uploads at once", async () => {
    const auditId = await audits.request(heron);
    const before = (await historyOf(heron)).length;
    const answers = await Promise.all([1, 2].map(() => audits.uploadOne(auditId, heron)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
    expect(await historyOf(heron)).toHaveLength(before + 1);
  });

  it("refuses wrong signers, other audits' signatures and unknown audits", async () => {
    const auditId = await audits.request(heron);
    const stranger = await audits.uploadOne(auditId, heron, fileOf(heron), newAccount());
    expect(refused(stranger)).toEqual([401, "INVALID_SIGNATURE"]);
    const path = `/v1/disclose/regulatory/${auditId}/upload`;
    const otherAudit = await uploadForm(randomUUID(), [fileOf(heron)], heron.owner, "file");
    expect(refused(await audits.upload(path, otherAudit))).toEqual([401, "INVALID_SIGNATURE"]);
    const otherFile = await uploadForm(auditId, [{ text: "{}" }], heron.owner, "file");
    otherFile.set("file", new Blob([fileOf(heron).text]));
    expect(refused(await audits.upload(path, otherFile))).toEqual([401, "INVALID_SIGNATURE"]);
    expect(refused(await audits.uploadOne(randomUUID(), heron))).toEqual([404, "NOT_FOUND"]);
    const form = await uploadForm(auditId, [fileOf(heron)], heron.owner, "files[]");
    const asOrganization = `/v1/disclose/org-audit/${auditId}/upload`;
    expect(refused(await audits.upload(asOrganization, form))).toEqual([404, "NOT_FOUND"]);
    expect(await isOpen(auditId)).toBe(true);
  });

  it("ends with the sale of the agent, and with its seven days", async () => {
    const agent = await auditableAgent(service);
    const auditId = await audits.request(agent);
    await service.chain.fund(agent.owner.address);
    const buyer = newAccount();
    await service.chain.transferPassport(BigInt(agent.passportId), agent.owner, buyer.address);
    expect(refused(await audits.uploadOne(auditId, agent))).toEqual([409, "SUSPENDED"]);
    expect(await isOpen(auditId)).toBe(true);

    const old = await audits.request(heron);
    await service.pool.query(
      "update app.audit set upload_expires_at = now() - interval '1 second' where id = $1",
      [old],
    );
    const expired = await audits.uploadOne(old, heron);
    expect(refused(expired)).toEqual([410, "GONE"]);
    expect(expired.body.error.message).toBe("This upload URL has expired. Sign a new audit.");
  });
});

describe("an upload's form", () => {
  it("is refused with the reason, and leaves the audit as it was", async () => {
    const auditId = await audits.request(heron);
    const path = `/v1/disclose/regulatory/${auditId}/upload`;
    const signature: Hex = `0x${"11".repeat(65)}`;
    const canary = "canary-of-a-refused-upload";
    const raw = (body: string, type = "multipart/form-data; boundary=b") =>
      service.request(path, { method: "POST", headers: { "content-type": type }, body });
    const form = (parts: readonly (readonly [string, string])[]) => {
      const made = new FormData();
      for (const [name, value] of parts) {
        made.append(name, name === "file" ? new Blob([value]) : value);
      }
      return audits.upload(path, made);
    };
    const yaml = (text: string) =>
      form([
        ["signature", signature],
        ["file", text],
      ]);

    expect(refused(await raw("{}", "application/json"))).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    const broken = await raw(`--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${canary}`);
    expect(broken.body.error.message).toBe("The form does not parse: it ends too early.");
    expect((await raw(canary)).body.error.message).toBe(
      "The form does not parse: text before the first part.",
    );
    const unknown = await form([["prompt", canary]]);
    expect(issuesOf(unknown)).toEqual([{ path: "prompt", message: "The form has no such part" }]);
    expect(issuesOf(await form([["signature", signature]]))).toEqual([
      { path: "file", message: "There is no file" },
    ]);
    expect(issuesOf(await form([["file", fileOf(heron).text]]))).toEqual([
      { path: "signature", message: "It is missing" },
    ]);
    const twice = await form([
      ["file", fileOf(heron).text],
      ["file", fileOf(heron).text],
    ]);
    expect(issuesOf(twice)).toEqual([{ path: "file", message: "At most 1 files" }]);
    expect(issuesOf(await form([["salt", canary]]))).toEqual([
      { path: "salt", message: "Not 32 bytes in hex with 0x" },
    ]);
    const tooLarge = await yaml("x".repeat(10 * 1024 * 1024 + 1));
    expect(refused(tooLarge)).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const bomb = await yaml(`a: &a [${canary}]\nb: [*a, *a]`);
    expect(refused(bomb)).toEqual([400, "INVALID_REQUEST"]);
    expect(issuesOf(bomb)[0].message).toContain("anchor");
    const deep = await yaml(`${"[".repeat(5_000)}${canary}`);
    expect(issuesOf(deep)[0].message).toContain("nested too deeply");
    const type = await yaml(`identity: {name: ${heron.name}, agent_type: ${canary}}`);
    expect(refused(type)).toEqual([400, "INVALID_REQUEST"]);

    expect(await isOpen(auditId)).toBe(true);
    expect(
      await service.pool.query("select 1 from app.audit_try where audit_id = $1", [auditId]),
    ).toMatchObject({ rowCount: 0 });
    for (const { body } of [broken, unknown, bomb, deep, type]) {
      expect(JSON.stringify(body)).not.toContain(canary);
    }
    expect((await service.logLines()).join("\n")).not.toContain(canary);
  });
});

describe("an organization's audit", () => {
  const admin = newAccount();
  let organizationId: number;
  let own: AuditableAgent;
  let foreign: AuditableAgent;
  beforeAll(async () => {
    organizationId = await world.found(admin);
    own = await auditableAgent(service, { owner: admin });
    foreign = await auditableAgent(service);
    expect((await world.join(organizationId, own.tokenId, admin)).status).toBe(200);
    const { tokenId, owner } = foreign;
    await world.join(organizationId, tokenId, owner);
    expect((await world.join(organizationId, tokenId, admin, "admin")).status).toBe(200);
  });

  it("is signed by the admin, and announced to each member", async () => {
    const webhook = await receiver.subscribe(foreign, ["audit.requested"]);
    const body = { organizationId, ...TERMS };
    const path = "/v1/disclose/org-audit";
    const member = await audits.signed("org-audit", body, foreign.owner);
    const refusal = await audits.send("POST", path, member);
    expect(refused(refusal)).toEqual([403, "NOT_OWNER"]);
    expect(refusal.body.error.message).toBe("The signer is not the organization's admin.");
    const signed = await audits.signed("org-audit", body, admin);
    const answer = await audits.send("POST", path, signed);
    expect(answer.status).toBe(202);
    const { orgAuditId } = answer.body;
    expect(answer.body).toEqual({
      orgAuditId: UUID,
      organizationId,
      agentCount: 2,
      status: "awaiting_ccsf_uploads",
      batchUploadUrl: `${service.url}/v1/disclose/org-audit/${orgAuditId}/upload`,
      uploadExpiresAt: TIME,
      note: "Upload within 7 days, signed by the same account. A file is read in memory, and never stored.",
    });
    const repeated = await audits.send("POST", path, signed);
    expect([repeated.status, repeated.body]).toEqual([202, answer.body]);
    const [event] = await webhook.arrived(1);
    expect(event?.data).toMatchObject({
      auditId: orgAuditId,
      kind: "organization",
      organizationId,
    });
    const none = { ...body, organizationId: 999_999 };
    expect(refused(await audits.send("POST", "/v1/typed-data/org-audit", none))).toEqual([
      404,
      "NOT_FOUND",
    ]);
    const empty = await world.found(admin);
    expect(
      refused(
        await audits.send("POST", "/v1/typed-data/org-audit", { ...body, organizationId: empty }),
      ),
    ).toEqual([403, "FORBIDDEN"]);
  });

  it("works under its former names, which are announced as deprecated", async () => {
    const signed = await audits.signed("org-audit", { fleetId: organizationId, ...TERMS }, admin);
    const answer = await audits.send("POST", "/v1/disclose/fleet-audit", signed);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ organizationId, fleetId: organizationId });
    expect(answer.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(answer.headers.get("sunset")).toBe(SUNSET.toUTCString());
    const id = answer.body.orgAuditId;
    const form = await uploadForm(id, [fileOf(own)], admin, "files[]");
    const uploaded = await audits.upload(`/v1/disclose/fleet-audit/${id}/upload`, form);
    expect(uploaded.status).toBe(200);
    expect(uploaded.body).toMatchObject({ orgAuditId: id, fleetId: organizationId });
    expect(uploaded.headers.get("sunset")).toBe(SUNSET.toUTCString());
  });

  it("uses the stored salt for the admin's agents only", async () => {
    const auditId = await audits.requestOrganization(organizationId, admin);
    const alone = await audits.uploadMany(auditId, [fileOf(foreign)], admin);
    expect(issuesOf(alone)).toEqual([
      {
        path: "salt",
        message:
          "No file can be compared. Send the salt before the file of an agent that you do not own",
      },
    ]);
    const answer = await audits.uploadMany(auditId, [fileOf(foreign), fileOf(own)], admin);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { results, agentCount, verifiedCount } = answer.body;
    expect([agentCount, verifiedCount]).toEqual([2, 1]);
    expect(results).toEqual([
      {
        tokenId: own.tokenId,
        agentName: own.name,
        status: "verified",
        reason: null,
        verification: PROVED,
        chronicles: expect.objectContaining({ invalid: 0 }) as object,
      },
      {
        tokenId: foreign.tokenId,
        agentName: foreign.name,
        status: "not_verified",
        reason: "salt_missing",
        verification: null,
        chronicles: null,
      },
    ]);
    expect((await historyOf(own))[0]).toMatchObject({ trigger: "org_audit" });
    expect(await historyOf(foreign)).toEqual([]);
  });

  it("verifies another owner's agent with the salt of the upload, three tries at most", async () => {
    const auditId = await audits.requestOrganization(organizationId, admin);
    const guess = { ...fileOf(foreign), salt: `0x${"22".repeat(32)}` };
    const guesses = await Promise.all(
      [1, 2, 3, 4].map(() => audits.uploadMany(auditId, [fileOf(own), guess], admin)),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([422, 422, 422, 429]);
    const mismatch = guesses.find(({ status }) => status === 422);
    expect(mismatch?.body.error.details.files).toEqual([
      { part: "files.1", agentName: foreign.name, soulHashMatch: false, merkleRootMatch: false },
    ]);
    const right = { ...fileOf(foreign), salt: foreign.salt };
    expect(refused(await audits.uploadMany(auditId, [right], admin))).toEqual([
      429,
      "RATE_LIMIT_EXCEEDED",
    ]);
    const next = await audits.requestOrganization(organizationId, admin);
    const answer = await audits.uploadMany(next, [right, fileOf(own)], admin);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.verifiedCount).toBe(2);
    const { agents, document } = answer.body.package;
    expect(document).toBeNull();
    const { ccsf, hashes, tokenId } = foreign;
    const packaged = agents.find((one: { tokenId: string }) => one.tokenId === String(tokenId));
    const purpose = packaged.fields.find(
      ({ field }: { field: string }) => field === "soul.purpose",
    );
    expect(
      verifyFieldProof({ ...purpose, value: ccsf.soul.purpose, root: hashes.soulMerkleRoot }),
    ).toBe(true);
    expect(JSON.stringify(answer.body)).not.toContain(ccsf.soul.purpose);
    expect(await historyOf(foreign)).toMatchObject([{ trigger: "org_audit" }]);
  });

  it("refuses files of other agents, duplicates and salts without a file", async () => {
    const auditId = await audits.requestOrganization(organizationId, admin);
    const other = await audits.uploadMany(auditId, [fileOf(own), fileOf(heron)], admin);
    expect(issuesOf(other)).toEqual([
      {
        path: "files.1",
        message: "No live member of this organization has the name that it states",
      },
    ]);
    const twice = await audits.uploadMany(auditId, [fileOf(own), fileOf(own)], admin);
    expect(issuesOf(twice)).toEqual([
      { path: "files.1", message: "An earlier file states the same agent" },
    ]);
    const form = await uploadForm(auditId, [fileOf(own)], admin, "files[]");
    form.append("salt", own.salt);
    const path = `/v1/disclose/org-audit/${auditId}/upload`;
    expect(issuesOf(await audits.upload(path, form))).toEqual([
      { path: "salt", message: "A salt comes before its file, and no file follows" },
    ]);
    const stranger = await audits.uploadMany(auditId, [fileOf(own)], newAccount());
    expect(refused(stranger)).toEqual([401, "INVALID_SIGNATURE"]);
    expect(await isOpen(auditId)).toBe(true);
  });

  it("counts members and the admin as of the block of the upload", async () => {
    const auditId = await audits.requestOrganization(organizationId, admin);
    await world.leaveDirectly(admin, foreign.tokenId);
    const left = { ...fileOf(foreign), salt: foreign.salt };
    expect(issuesOf(await audits.uploadMany(auditId, [fileOf(own), left], admin))).toEqual([
      {
        path: "files.1",
        message: "No live member of this organization has the name that it states",
      },
    ]);
    const next = newAccount();
    await world.nameDirectly(admin, organizationId, next.address);
    await world.acceptDirectly(next, organizationId);
    const answer = await audits.uploadMany(auditId, [fileOf(own)], admin);
    expect(refused(answer)).toEqual([403, "NOT_OWNER"]);
    expect(answer.body.error.message).toBe(
      "The signer of this audit is not the organization's admin any more.",
    );
    expect(await isOpen(auditId)).toBe(true);
  });
});
