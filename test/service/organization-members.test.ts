import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { bearer, ownerSession } from "../fixtures/agents.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Joining and leaving organizations over HTTP on the running service, with one and with two
// signatures, compared with the same done directly on chain.

let service: Service;
let world: ReturnType<typeof organizationVerbs>;
beforeAll(async () => {
  service = await sharedService();
  world = organizationVerbs(service);
});
afterAll(() => service?.stop());

const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/) as string;
const refused = ({ status, body }: Answer) => [status, body.error?.type];
async function session(account: LocalAccount): Promise<Record<string, string>> {
  return bearer((await ownerSession(service, account)).accessToken);
}
const invitations = async (account: LocalAccount) =>
  (await service.request("/v1/org/invitations", { headers: await session(account) })).body
    .invitations;

/** An account that can sign in: it owns a passport. */
const signedInAccount = async () => (await world.newAgent()).owner;

/** An agent whose owner is not the admin of the organization. */
async function pair() {
  const agent = await world.newAgent();
  const admin = await signedInAccount();
  return { ...agent, admin, organizationId: await world.found(admin) };
}

describe("POST /v1/org/:id/members with one signature", () => {
  it("adds the agent of the admin, as directly on chain", async () => {
    const owner = newAccount();
    const [one, twin] = [await world.newAgent(owner), await world.newAgent(owner)];
    const id = await world.found(owner);
    const answer = await world.join(id, one.tokenId, owner);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      organizationId: id,
      tokenId: one.tokenId,
      erc8004AgentId: Number(one.passportId),
      agentName: one.name,
      status: "added",
      txHash: HASH,
      memberCount: 1,
    });
    await world.joinDirectly(owner, id, twin.tokenId);
    expect(await world.membershipOf(one.tokenId)).toEqual(await world.membershipOf(twin.tokenId));
    const { body } = await service.get(`/v1/org/${id}?minBlock=${await world.head()}`);
    expect(body.members.map((member: { status: string }) => member.status)).toEqual([
      "active",
      "active",
    ]);
  });

  it("rejects a member of another organization, a stranger, and an unknown agent", async () => {
    const { owner, tokenId } = await world.newAgent();
    const [first, second] = [await world.found(owner), await world.found(owner)];
    const { message, signature, signer } = await world.signedAs(
      "org-member",
      { organizationId: second, tokenId },
      owner,
    );
    const late = { tokenId, message, signature, signer };
    const stranger = { ...late, signer: newAccount().address };
    const path = `/v1/org/${second}/members`;
    expect(refused(await world.send("POST", path, stranger))).toEqual([403, "NOT_OWNER"]);
    await world.join(first, tokenId, owner);
    const answer = await world.send("POST", path, late);
    expect(refused(answer)).toEqual([409, "ALREADY_MEMBER"]);
    expect(answer.body.error.message).toBe(
      `This agent is a member of organization ${first}. It must leave it first.`,
    );
    const unknown = { organizationId: second, tokenId: 9_999_999 };
    const prepared = await world.send("POST", "/v1/typed-data/org-member", unknown);
    expect(refused(prepared)).toEqual([404, "NOT_FOUND"]);
  });
});

describe("POST /v1/org/:id/members with two signatures", () => {
  it("invites with the first signature, and adds with the second, from either side", async () => {
    for (const first of ["owner", "admin"] as const) {
      const { owner, admin, tokenId, passportId, name, organizationId } = await pair();
      const keys = { owner, admin };
      const second = first === "owner" ? "admin" : "owner";
      const invited = await world.join(organizationId, tokenId, keys[first], first);
      expect(invited.status).toBe(202);
      expect(invited.body).toStrictEqual({
        organizationId,
        tokenId,
        status: "invited",
        invitationId: expect.any(String) as string,
        signedBy: [{ role: first, signer: keys[first].address }],
        awaiting: [{ role: second, signer: keys[second].address }],
        createdAt: expect.any(String) as string,
        expiresAt: expect.any(String) as string,
      });
      const { createdAt, expiresAt } = invited.body;
      const days = (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000;
      expect(Math.round(days)).toBe(7);
      expect(await invitations(keys[second])).toEqual([invited.body]);
      const added = await world.join(organizationId, tokenId, keys[second], second);
      expect(added.body).toStrictEqual({
        organizationId,
        tokenId,
        erc8004AgentId: Number(passportId),
        agentName: name,
        status: "added",
        txHash: HASH,
        memberCount: 1,
      });
      expect(await invitations(keys[second])).toEqual([]);
    }
  });

  it("adds at once when both come in one request", async () => {
    const { owner, admin, tokenId, organizationId } = await pair();
    const body = { organizationId, tokenId };
    const { message, signature, signer } = await world.signedAs("org-member", body, owner);
    const consent = await world.signedAs("org-member", { ...body, role: "admin" }, admin);
    const answer = await world.send("POST", `/v1/fleet/${organizationId}/members`, {
      tokenId,
      message,
      signature,
      signer,
      adminSignature: {
        message: consent.message,
        signature: consent.signature,
        signer: consent.signer,
      },
    });
    expect([answer.status, answer.body.status, answer.body.fleetId]).toEqual([
      200,
      "added",
      organizationId,
    ]);
  });

  it("shows an invitation to its parties only, and lets either end it", async () => {
    const { owner, admin, tokenId, organizationId } = await pair();
    const { body } = await world.join(organizationId, tokenId, owner);
    const path = `/v1/org/invitations/${body.invitationId}`;
    const at = async (account: LocalAccount, method = "GET") =>
      service.request(path, { method, headers: await session(account) });
    expect(refused(await at(await signedInAccount()))).toEqual([404, "NOT_FOUND"]);
    expect(refused(await service.get(path))).toEqual([401, "UNAUTHORIZED"]);
    expect((await at(admin)).body).toEqual(body);
    expect((await at(admin, "DELETE")).status).toBe(204);
    expect(refused(await at(owner))).toEqual([404, "NOT_FOUND"]);
    const alone = await world.join(organizationId, tokenId, admin, "admin");
    expect(alone.status).toBe(202);
  });

  it("ends an invitation with another admin, a sale, and a cancelled nonce", async () => {
    const ends: Record<
      string,
      (parts: Awaited<ReturnType<typeof pair>>, nonce: bigint) => unknown
    > = {
      "another admin": async ({ admin, organizationId }) => {
        const next = newAccount();
        await world.nameDirectly(admin, organizationId, next.address);
        await world.acceptDirectly(next, organizationId);
      },
      "a sale": ({ passportId, owner }) =>
        service.chain.transferPassport(passportId, owner, newAccount().address),
      "a cancelled nonce": ({ owner }, nonce) => world.direct(owner, "cancel", [nonce]),
    };
    for (const [why, end] of Object.entries(ends)) {
      const parts = await pair();
      const { owner, admin, tokenId, organizationId } = parts;
      const body = { organizationId, tokenId };
      const signed = await world.signedAs("org-member", body, owner);
      const { message, signature, signer } = signed;
      const request = { tokenId, message, signature, signer };
      const answer = await world.send("POST", `/v1/org/${organizationId}/members`, request);
      expect(answer.status, why).toBe(202);
      expect(await invitations(admin), why).toHaveLength(1);
      await end(parts, BigInt((message as { nonce: string }).nonce));
      expect(await invitations(admin), why).toEqual([]);
    }
  });
});

describe("DELETE /v1/org/:id/members/:tokenId", () => {
  /** A member whose owner is not the admin. */
  async function member() {
    const parts = await pair();
    const { organizationId, tokenId, owner, admin } = parts;
    await world.join(organizationId, tokenId, owner);
    await world.join(organizationId, tokenId, admin, "admin");
    return parts;
  }

  it("ends the membership for the owner and for the admin, as directly on chain", async () => {
    for (const by of ["owner", "admin"] as const) {
      const one = await member();
      const twin = await member();
      const answer = await world.leave(one.organizationId, one.tokenId, one[by]);
      expect(answer.body).toStrictEqual({
        organizationId: one.organizationId,
        tokenId: one.tokenId,
        erc8004AgentId: Number(one.passportId),
        agentName: one.name,
        status: "removed",
        txHash: HASH,
        memberCount: 0,
      });
      await world.leaveDirectly(twin[by], twin.tokenId);
      expect(await world.membershipOf(one.tokenId)).toEqual(await world.membershipOf(twin.tokenId));
    }
  });

  it("takes the signature from the header, and answers a repetition alike", async () => {
    const { organizationId, tokenId, owner } = await member();
    const { message, signature, signer } = await world.signedAs(
      "org-member-removal",
      { organizationId, tokenId },
      owner,
    );
    const text = JSON.stringify({ message, signature, signer });
    const header = { "X-Svc-Owner-Signature": Buffer.from(text).toString("base64url") };
    const path = `/v1/org/${organizationId}/members/${tokenId}`;
    const remove = (headers: Record<string, string>) =>
      service.request(path, { method: "DELETE", headers });
    expect(refused(await remove({}))).toEqual([403, "WALLET_SIGNATURE_REQUIRED"]);
    const broken = await remove({ "X-Svc-Owner-Signature": "e30x" });
    expect(refused(broken)).toEqual([400, "INVALID_REQUEST"]);
    const removed = await remove(header);
    expect([removed.status, removed.body.status]).toEqual([200, "removed"]);
    expect((await remove(header)).body).toEqual(removed.body);
  });

  it("rejects a stranger, and an agent that is no member", async () => {
    const { organizationId, tokenId, admin } = await member();
    const stranger = newAccount();
    const prepared = await world.send("POST", "/v1/typed-data/org-member-removal", {
      organizationId,
      tokenId,
      signer: stranger.address,
    });
    expect(refused(prepared)).toEqual([403, "NOT_OWNER"]);
    expect(prepared.body.error.message).toBe(
      "Only the agent's owner or the organization's admin may end this membership.",
    );
    await world.leaveDirectly(admin, tokenId);
    const gone = await world.send("POST", "/v1/typed-data/org-member-removal", {
      organizationId,
      tokenId,
      signer: admin.address,
    });
    expect(refused(gone)).toEqual([404, "NOT_FOUND"]);
    expect(gone.body.error.message).toBe(
      `Agent ${tokenId} is not a member of organization ${organizationId}.`,
    );
  });

  it("lets the admin remove an agent whose passport was sold", async () => {
    const { organizationId, tokenId, admin, owner, passportId } = await member();
    await service.chain.transferPassport(passportId, owner, newAccount().address);
    const head = await world.head();
    const { body } = await service.get(`/v1/org/${organizationId}?minBlock=${head}`);
    expect(body.members[0].status).toBe("suspended");
    const answer = await world.leave(organizationId, tokenId, admin);
    expect([answer.status, answer.body.status]).toEqual([200, "removed"]);
  });
});
