import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, ownerSession } from "../fixtures/agents.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { freshName, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// No key and no session stands in for a signature, and no key for the session of an account, on
// any route that changes organizations.

let service: Service;
let world: ReturnType<typeof organizationVerbs>;
let credentials: Readonly<Record<string, string>>;
/** The agent whose owner is the admin, and is its member. */
let member: Awaited<ReturnType<ReturnType<typeof organizationVerbs>["newAgent"]>>;
let organizationId: number;
beforeAll(async () => {
  service = await sharedService();
  world = organizationVerbs(service);
  member = await world.newAgent();
  organizationId = await world.found(member.owner);
  await world.join(organizationId, member.tokenId, member.owner);
  const stranger = await world.newAgent();
  credentials = {
    "the member's key": member.apiKey,
    "another agent's key": stranger.apiKey,
    "a provisional key": await world.provisionalKey(),
    "the admin's session": (await ownerSession(service, member.owner)).accessToken,
    "another owner's session": (await ownerSession(service, stranger.owner)).accessToken,
  };
});
afterAll(() => service?.stop());

const refused = ({ status, body }: Answer) => [status, body.error?.type];

/** Each route with a body that lacks the signature, and its typed data. */
const SIGNED: readonly [string, string, string, () => object][] = [
  ["POST", "", "org", () => ({ name: "Herons", adminAddress: member.owner.address })],
  ["POST", "/:id/members", "org-member", () => ({ tokenId: member.tokenId })],
  ["DELETE", "/:id/members/:tokenId", "org-member-removal", () => ({})],
  ["PUT", "/:id/admin", "org-admin", () => ({ newAdmin: newAccount().address })],
  ["POST", "/:id/admin/accept", "org-admin-accept", () => ({})],
  [
    "POST",
    "/:id/batch-register",
    "org-batch",
    () => {
      const { ownerAddress, ...agent } = registrationBody(freshName(), member.owner);
      return { agents: [agent], ownerAddress };
    },
  ],
];

describe.each(SIGNED)("%s /v1/org%s", (method, path, typedData, body) => {
  it("takes no key and no session for the signature", async () => {
    const filled = path
      .replace(":id", String(organizationId))
      .replace(":tokenId", String(member.tokenId));
    for (const root of ["/v1/org", "/v1/fleet"]) {
      for (const [name, credential] of Object.entries(credentials)) {
        const answer = await world.send(method, `${root}${filled}`, body(), bearer(credential));
        expect([name, refused(answer)]).toEqual([name, [403, "WALLET_SIGNATURE_REQUIRED"]]);
        expect(answer.body.error.details.typedData).toBe(`/v1/typed-data/${typedData}`);
      }
    }
    expect(await world.adminOf(organizationId)).toBe(member.owner.address);
    expect((await world.membershipOf(member.tokenId))[0]).toBe(BigInt(organizationId));
  });
});

describe("/v1/org/invitations", () => {
  it("takes no key, and shows another account's session nothing", async () => {
    const agent = await world.newAgent();
    const { body } = await world.join(organizationId, agent.tokenId, agent.owner);
    const path = `/v1/org/invitations/${body.invitationId}`;
    const requests = [
      ["GET", "/v1/org/invitations"],
      ["GET", path],
      ["DELETE", path],
    ] as const;
    const keys = [
      ...["the member's key", "another agent's key", "a provisional key"].map(
        (name) => credentials[name] ?? "",
      ),
      agent.apiKey,
    ];
    for (const [method, at] of requests) {
      for (const key of keys) {
        const answer = await service.request(at, { method, headers: bearer(key) });
        expect(refused(answer)).toEqual([403, "FORBIDDEN"]);
        expect((await service.request(at, { method })).body.error.type).toBe(
          method === "DELETE" ? "WALLET_SIGNATURE_REQUIRED" : "UNAUTHORIZED",
        );
      }
    }
    const foreign = bearer(credentials["another owner's session"] ?? "");
    const listed = await service.request("/v1/org/invitations", { headers: foreign });
    expect(listed.body.invitations).toEqual([]);
    for (const method of ["GET", "DELETE"]) {
      const answer = await service.request(path, { method, headers: foreign });
      expect(refused(answer)).toEqual([404, "NOT_FOUND"]);
    }
    const admins = bearer(credentials["the admin's session"] ?? "");
    expect((await service.request(path, { headers: admins })).body).toEqual(body);
  });
});

describe("/v1/org/invitations by a signature", () => {
  const path = "/v1/org/invitations";
  const listed = (key: LocalAccount, wish: object = {}, change: object = {}) =>
    world.signedAs("org-invitations", { accountAddress: key.address, ...wish }, key, change);
  const ended = (key: LocalAccount, invitationId: string, accountAddress = key.address) =>
    world.signedAs("org-invitation-end", { accountAddress, invitationId }, key);

  /** An invitation of an admin that owns no passport, and waits for the agent's owner. */
  async function invited() {
    const admin = newAccount();
    const id = await world.found(admin);
    const agent = await world.newAgent();
    const { body } = await world.join(id, agent.tokenId, admin, "admin");
    expect(body.status).toBe("invited");
    return { admin, agent, organizationId: id, invitation: body };
  }

  it("lists them to an admin without a passport, and to the agent's owner, once for a signature", async () => {
    const { admin, agent, invitation } = await invited();
    const body = await listed(admin);
    const answer = await service.post(path, body);
    expect([answer.status, answer.body]).toEqual([200, { invitations: [invitation] }]);
    expect(refused(await service.post(path, body))).toEqual([401, "NONCE_USED"]);
    const fleet = await service.post("/v1/fleet/invitations", await listed(agent.owner));
    expect(fleet.body.invitations).toEqual([{ ...invitation, fleetId: invitation.organizationId }]);
    const elsewhere = { ...(await listed(admin)), organizationId };
    expect((await service.post(path, elsewhere)).body).toEqual({ invitations: [] });
    const stranger = newAccount();
    expect((await service.post(path, await listed(stranger))).body).toEqual({ invitations: [] });
  });

  it("refuses another signer, a forged, late or unsigned request, and changes nothing", async () => {
    const { admin, invitation } = await invited();
    const stranger = newAccount();
    const foreign = { ...(await listed(stranger)), accountAddress: admin.address };
    expect(refused(await service.post(path, foreign))).toEqual([403, "NOT_OWNER"]);
    const forged = { ...foreign, signer: admin.address };
    expect(refused(await service.post(path, forged))).toEqual([401, "INVALID_SIGNATURE"]);
    const late = await listed(admin, {}, { deadline: "1" });
    expect(refused(await service.post(path, late))).toEqual([401, "NONCE_EXPIRED"]);
    const unsigned = await service.post(path, { accountAddress: admin.address });
    expect(refused(unsigned)).toEqual([403, "WALLET_SIGNATURE_REQUIRED"]);
    expect(unsigned.body.error.details.typedData).toBe("/v1/typed-data/org-invitations");
    const wrong = await ended(admin, invitation.invitationId);
    expect(refused(await service.post(path, wrong))).toEqual([400, "INVALID_REQUEST"]);
    const { body } = await service.post(path, await listed(admin));
    expect(body.invitations).toEqual([invitation]);
  });

  it("ends one for either party, from the body or the header, and for no other account", async () => {
    const [one, other] = [await invited(), await invited()];
    const end = (invitationId: string, body: object) =>
      world.send("DELETE", `${path}/${invitationId}`, body);
    const { invitationId } = one.invitation;
    const stranger = newAccount();
    const byStranger = await ended(stranger, invitationId);
    expect(refused(await end(invitationId, byStranger))).toEqual([404, "NOT_FOUND"]);
    const asAdmin = { ...byStranger, accountAddress: one.admin.address };
    expect(refused(await end(invitationId, asAdmin))).toEqual([403, "NOT_OWNER"]);
    const signed = await ended(one.admin, invitationId);
    const mixed = await end(other.invitation.invitationId, signed);
    expect(refused(mixed)).toEqual([400, "INVALID_REQUEST"]);
    const { invitationId: _named, ...unnamed } = signed as typeof signed & { invitationId: string };
    const elsewhere = await end(other.invitation.invitationId, unnamed);
    expect(refused(elsewhere)).toEqual([400, "INVALID_REQUEST"]);
    expect(elsewhere.body.error.details.issues[0].path).toBe("message.invitationId");
    expect((await end(invitationId, signed)).status).toBe(204);
    expect(refused(await end(invitationId, signed))).toEqual([401, "NONCE_USED"]);

    const byOwner = await ended(other.agent.owner, other.invitation.invitationId);
    const header = Buffer.from(JSON.stringify(byOwner)).toString("base64url");
    const answer = await service.request(`${path}/${other.invitation.invitationId}`, {
      method: "DELETE",
      headers: { "X-Svc-Owner-Signature": header },
    });
    expect(answer.status).toBe(204);
    for (const { admin } of [one, other]) {
      expect((await service.post(path, await listed(admin))).body).toEqual({ invitations: [] });
    }
  });
});
