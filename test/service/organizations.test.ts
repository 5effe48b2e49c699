import type { LocalAccount } from "viem";
import { zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SUNSET } from "../../api/platform/http/operations.ts";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { organizationVerbs } from "../fixtures/organizations.ts";
import { freshName, idempotencyKey } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Organizations over HTTP on the running service, compared with the same done directly on chain.

let service: Service;
let world: ReturnType<typeof organizationVerbs>;
beforeAll(async () => {
  service = await sharedService();
  world = organizationVerbs(service);
});
afterAll(() => service?.stop());

const TIME = expect.stringMatching(/^20.*Z$/) as string;
const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/) as string;

const refused = ({ status, body }: Answer) => [status, body.error?.type];
const issues = ({ body }: Answer) => body.error.details.issues;
const get = (path: string) => service.get(path);
/** A read that has seen everything on chain. */
async function current(path: string): Promise<Answer> {
  const block = await world.head();
  return get(`${path}${path.includes("?") ? "&" : "?"}minBlock=${block}`);
}
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  world.send("POST", path, body, headers);
const put = (path: string, body: unknown) => world.send("PUT", path, body);

const founding = (admin: LocalAccount, name = `Herons ${freshName()}`) => ({
  name,
  adminAddress: admin.address,
});

describe("POST /v1/org", () => {
  it("founds an organization, which reads then have", async () => {
    const admin = newAccount();
    const body = founding(admin);
    const signed = await world.signedAs("org", body, admin);
    expect(signed.message).toEqual({
      name: body.name,
      admin: admin.address,
      nonce: expect.stringMatching(/^[0-9]+$/),
      deadline: expect.stringMatching(/^[0-9]+$/),
    });
    const answer = await post("/v1/org", signed);
    expect(answer.status).toBe(201);
    const { organizationId } = answer.body;
    expect(answer.body).toStrictEqual({
      organizationId,
      name: body.name,
      admin: admin.address,
      memberCount: 0,
      createdAt: TIME,
      txHash: HASH,
    });
    expect(await world.adminOf(organizationId)).toBe(admin.address);
    expect((await get(`/v1/org/${organizationId}`)).body).toStrictEqual({
      organizationId,
      name: body.name,
      admin: admin.address,
      pendingAdmin: null,
      memberCount: 0,
      createdAt: answer.body.createdAt,
      active: true,
      members: [],
      nextCursor: null,
    });
    expect((await post("/v1/org", signed)).body).toEqual(answer.body);
  });

  it("has the same outcome as a founding directly on chain", async () => {
    const admin = newAccount();
    const name = `Herons ${freshName()}`;
    const over = await world.found(admin, name);
    const directly = await world.foundDirectly(admin, name);
    const [one, other] = await Promise.all(
      [over, directly].map(async (id) => (await current(`/v1/org/${id}`)).body),
    );
    expect({ ...one, organizationId: 0, createdAt: "" }).toEqual({
      ...other,
      organizationId: 0,
      createdAt: "",
    });
  });

  it("rejects a signer other than the admin, and a signature of a different message", async () => {
    const admin = newAccount();
    const stranger = newAccount();
    const signed = await world.signedAs("org", founding(admin), admin);
    const other = { ...signed, signer: stranger.address };
    const answer = await post("/v1/org", other);
    expect(refused(answer)).toEqual([403, "NOT_OWNER"]);
    expect(answer.body.error.message).toBe("The signer is not the organization's admin.");
    const forged = await world.signedAs("org", founding(admin), stranger);
    const asAdmin = { ...forged, signer: admin.address };
    expect(refused(await post("/v1/org", asAdmin))).toEqual([401, "INVALID_SIGNATURE"]);
  });

  it("rejects a message about another name, and a name that the registry would refuse", async () => {
    const admin = newAccount();
    const signed = await world.signedAs("org", founding(admin), admin);
    const renamed = await post("/v1/org", { ...signed, name: "Others" });
    expect(refused(renamed)).toEqual([400, "INVALID_REQUEST"]);
    expect(issues(renamed)).toEqual([
      { path: "message.name", message: "This request needs Others" },
    ]);
    const reasons = {
      "": "Empty, or with spaces around it",
      " x": "Empty, or with spaces around it",
      "a\nb": "Has control characters",
      [`${"é".repeat(32)}x`]: "Longer than 64 bytes of UTF-8",
    };
    for (const [name, message] of Object.entries(reasons)) {
      const answer = await post("/v1/typed-data/org", { name, adminAddress: admin.address });
      expect(refused(answer)).toEqual([400, "INVALID_REQUEST"]);
      expect(issues(answer)).toEqual([{ path: "name", message }]);
    }
  });

  it("rejects a request without the admin's signature", async () => {
    const { body, status } = await post("/v1/org", founding(newAccount()));
    expect(status).toBe(403);
    expect(body.error).toMatchObject({
      type: "WALLET_SIGNATURE_REQUIRED",
      details: { typedData: "/v1/typed-data/org" },
    });
  });

  it("rejects an expired signature, and one whose nonce was cancelled", async () => {
    const admin = newAccount();
    const expired = await world.signedAs("org", founding(admin), admin, { deadline: "1" });
    expect(refused(await post("/v1/org", expired))).toEqual([401, "NONCE_EXPIRED"]);
    const cancelled = await world.signedAs("org", founding(admin), admin);
    await world.direct(admin, "cancel", [BigInt((cancelled.message as { nonce: string }).nonce)]);
    expect(refused(await post("/v1/org", cancelled))).toEqual([401, "NONCE_USED"]);
  });
});

describe("PUT /v1/org/:id/admin", () => {
  const named = async (id: number, admin: LocalAccount, newAdmin: string) => {
    const body = { organizationId: id, newAdmin };
    const { message, signature, signer } = await world.signedAs("org-admin", body, admin);
    return { newAdmin, message, signature, signer };
  };
  const acceptance = async (id: number, key: LocalAccount) => {
    const body = { organizationId: id };
    const { message, signature, signer } = await world.signedAs("org-admin-accept", body, key);
    return { message, signature, signer };
  };

  it("names an admin who has no rights before accepting, as directly on chain", async () => {
    const [admin, next] = [newAccount(), newAccount()];
    const id = await world.found(admin);
    const twin = await world.foundDirectly(admin, "Herons of the weir");
    const body = await named(id, admin, next.address);
    const answer = await put(`/v1/org/${id}/admin`, body);
    expect(answer.body).toStrictEqual({
      organizationId: id,
      previousAdmin: admin.address,
      newAdmin: next.address,
      status: "pending_acceptance",
      txHash: HASH,
    });
    expect((await put(`/v1/org/${id}/admin`, body)).body).toEqual(answer.body);
    await world.nameDirectly(admin, twin, next.address);
    for (const one of [id, twin]) {
      expect((await current(`/v1/org/${one}`)).body).toMatchObject({
        admin: admin.address,
        pendingAdmin: next.address,
      });
    }

    const accepted = await post(`/v1/org/${id}/admin/accept`, await acceptance(id, next));
    expect(accepted.body).toStrictEqual({
      organizationId: id,
      previousAdmin: admin.address,
      newAdmin: next.address,
      status: "accepted",
      txHash: HASH,
    });
    await world.acceptDirectly(next, twin);
    for (const one of [id, twin]) {
      expect((await current(`/v1/org/${one}`)).body).toMatchObject({
        admin: next.address,
        pendingAdmin: null,
      });
    }
  });

  it("hands over at once with the new admin's signature", async () => {
    const [admin, next] = [newAccount(), newAccount()];
    const id = await world.found(admin);
    const body = await named(id, admin, next.address);
    const consent = { organizationId: id, newAdmin: next.address, role: "newAdmin" };
    const { message, signature, signer } = await world.signedAs("org-admin", consent, next);
    const answer = await put(`/v1/org/${id}/admin`, {
      ...body,
      newAdminSignature: { message, signature, signer },
    });
    expect([answer.status, answer.body.status]).toEqual([200, "accepted"]);
    expect(await world.adminOf(id)).toBe(next.address);
  });

  it("takes a naming back with the zero address", async () => {
    const [admin, next] = [newAccount(), newAccount()];
    const id = await world.found(admin);
    await put(`/v1/org/${id}/admin`, await named(id, admin, next.address));
    const late = await acceptance(id, next);
    const answer = await put(`/v1/org/${id}/admin`, await named(id, admin, zeroAddress));
    expect([answer.status, answer.body.status]).toEqual([200, "withdrawn"]);
    const refusal = await post(`/v1/org/${id}/admin/accept`, late);
    expect(refused(refusal)).toEqual([403, "FORBIDDEN"]);
    expect(refusal.body.error.message).toBe(
      `No next admin is named for organization ${id}. Its admin must name one first.`,
    );
  });

  it("rejects every account but the admin, and but the named one", async () => {
    const [admin, next, stranger] = [newAccount(), newAccount(), newAccount()];
    const id = await world.found(admin);
    const forged = await named(id, stranger, next.address);
    expect(refused(await put(`/v1/org/${id}/admin`, forged))).toEqual([403, "NOT_OWNER"]);
    await put(`/v1/org/${id}/admin`, await named(id, admin, next.address));
    const other = await post(`/v1/org/${id}/admin/accept`, await acceptance(id, stranger));
    expect(refused(other)).toEqual([403, "NOT_OWNER"]);
    expect(other.body.error.message).toBe(
      "The signer is not the account that is named as the next admin.",
    );
    expect(await world.adminOf(id)).toBe(admin.address);
  });

  it("rejects an unknown organization, and a signature from before another naming", async () => {
    const [admin, next] = [newAccount(), newAccount()];
    const unknown = await post("/v1/typed-data/org-admin", {
      organizationId: 9_999_999,
      newAdmin: next.address,
    });
    expect(refused(unknown)).toEqual([404, "NOT_FOUND"]);
    const id = await world.found(admin);
    const first = await named(id, admin, next.address);
    await world.nameDirectly(admin, id, newAccount().address);
    const answer = await put(`/v1/org/${id}/admin`, first);
    expect(refused(answer)).toEqual([400, "INVALID_REQUEST"]);
    expect(issues(answer)).toEqual([{ path: "message.version", message: "This request needs 1" }]);
  });
});

describe("GET /v1/org", () => {
  it("finds by admin, by the beginning of the name in any case, by id and by member", async () => {
    const { owner, tokenId } = await world.newAgent();
    const name = `Weir ${freshName()}`;
    const id = await world.found(owner, name);
    await world.joinDirectly(owner, id, tokenId);
    const other = await world.found(owner, "Another");
    const found = async (query: string) =>
      (await current(`/v1/org?${query}`)).body.organizations.map(
        (one: { organizationId: number }) => one.organizationId,
      );
    expect(await found(`admin=${owner.address}`)).toEqual([id, other]);
    expect(await found(`q=${encodeURIComponent(name.toUpperCase().slice(0, 20))}`)).toEqual([id]);
    expect(await found(`q=${id}&admin=${owner.address}`)).toEqual([id]);
    expect(await found(`tokenId=${tokenId}`)).toEqual([id]);
    expect(await found(`q=%25&admin=${owner.address}`)).toEqual([]);
    const first = await current(`/v1/org?admin=${owner.address}&limit=1`);
    expect(first.body.nextCursor).toBe(String(id));
    expect(await found(`admin=${owner.address}&cursor=${id}`)).toEqual([other]);
  });

  it("shows members page by page, in each order", async () => {
    const owner = newAccount();
    const [one, two] = [await world.newAgent(owner), await world.newAgent(owner)];
    const id = await world.found(owner);
    await world.joinDirectly(owner, id, two.tokenId);
    await world.joinDirectly(owner, id, one.tokenId);
    const { body } = await current(`/v1/org/${id}`);
    expect(body.memberCount).toBe(2);
    expect(body.members).toEqual(
      [two, one].map(({ tokenId, name }) => ({
        tokenId,
        agentName: name,
        agentType: "specialist",
        soulAlignment: null,
        addedAt: TIME,
        status: "active",
      })),
    );
    const ids = async (query: string) =>
      (await current(`/v1/org/${id}?${query}`)).body.members.map(
        (member: { tokenId: number }) => member.tokenId,
      );
    expect(await ids("membersLimit=1")).toEqual([two.tokenId]);
    expect(await ids("membersLimit=1&membersOffset=1")).toEqual([one.tokenId]);
    const { nextCursor } = (await current(`/v1/org/${id}?membersLimit=1`)).body;
    expect(await ids(`membersLimit=1&membersCursor=${nextCursor}`)).toEqual([one.tokenId]);
    const byName = [one, two].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(await ids("sortBy=agentName")).toEqual(byName.map(({ tokenId }) => tokenId));
    expect(await ids("sortBy=soulAlignment")).toEqual([one.tokenId, two.tokenId]);
    expect(refused(await get(`/v1/org/${id}?sortBy=random`))).toEqual([400, "INVALID_REQUEST"]);
  });

  it("rejects an unknown organization and an invalid id", async () => {
    for (const path of ["/v1/org/9999999", "/v1/org/9999999/stats"]) {
      const answer = await get(path);
      expect(refused(answer)).toEqual([404, "NOT_FOUND"]);
      expect(answer.body.error.message).toBe("There is no organization with id 9999999.");
    }
    expect(refused(await get("/v1/org/0"))).toEqual([400, "INVALID_REQUEST"]);
  });

  it("counts an organization's members", async () => {
    const { owner, tokenId } = await world.newAgent();
    const id = await world.found(owner, "Counted");
    await world.joinDirectly(owner, id, tokenId);
    expect((await current(`/v1/org/${id}/stats`)).body).toStrictEqual({
      organizationId: id,
      name: "Counted",
      memberCount: 1,
      stats: {
        activeMembers: 1,
        averageAlignment: null,
        alignmentDistribution: { "90-100": 0, "70-89": 0, "50-69": 0, below50: 0 },
        agentTypeBreakdown: { assistant: 0, companion: 0, specialist: 1, creative: 0, other: 0 },
        totalChronicles: 0,
        totalBindings: 0,
        sealedCount: 1,
        provisionalCount: 0,
        driftedCount: 0,
        lastActivity: TIME,
      },
    });
  });
});

describe("a /fleet path", () => {
  it("does what the same /org path does, with fleetId, and announces its end", async () => {
    const admin = newAccount();
    const signed = await world.signedAs("org", founding(admin, "Fleet"), admin);
    const founded = await post("/v1/fleet", signed, { "Idempotency-Key": idempotencyKey() });
    expect(founded.status).toBe(201);
    const id = founded.body.organizationId;
    expect(founded.body.fleetId).toBe(id);
    const read = await current(`/v1/fleet/${id}`);
    expect(read.body).toEqual({ ...(await get(`/v1/org/${id}`)).body, fleetId: id });
    const stats = await get(`/v1/fleet/${id}/stats`);
    expect(stats.body.fleetId).toBe(id);
    const listed = await get(`/v1/fleet?admin=${admin.address}`);
    expect(listed.body.organizations[0].fleetId).toBe(id);
    for (const { headers } of [founded, read, stats, listed]) {
      expect(headers.get("Sunset")).toBe(SUNSET.toUTCString());
      expect(headers.get("Deprecation")).toMatch(/^@[0-9]+$/);
    }
    expect((await get(`/v1/org/${id}`)).headers.get("Sunset")).toBeNull();
  });
});
