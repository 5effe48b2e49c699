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
