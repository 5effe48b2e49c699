import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentVerbs, answerTo, SECRET_PROMPT } from "../fixtures/agents.ts";
import { freshName } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { startService } from "../fixtures/service.ts";
import type { Answer } from "./sign-in-harness.ts";
import { newAccount } from "./sign-in-harness.ts";

// Agents that register themselves and owners who claim them, as it runs: real contracts, the real index, real Postgres, over HTTP.

let service: Service;
let verbs: ReturnType<typeof agentVerbs>;
beforeAll(async () => {
  service = await startService();
  verbs = agentVerbs(service);
});
afterAll(() => service?.stop());

describe("an agent that registers itself", () => {
  const name = freshName();
  let registered: Answer["body"];

  it("is asked for a hash, and its name is kept meanwhile", async () => {
    const before = Date.now();
    const first = await verbs.challenge(name);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      challengeId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      type: "sha256",
      question: expect.stringMatching(
        new RegExp(`SHA-256 hex digest .* of this string: svc:${name}:[0-9]{10}$`),
      ) as string,
      nameAvailable: true,
      expiresAt: expect.any(String) as string,
    });
    expect(first.headers.get("cache-control")).toBe("no-store");
    const lasts = Date.parse(first.body.expiresAt) - before;
    expect(lasts).toBeGreaterThanOrEqual(10 * 60_000);
    expect(lasts).toBeLessThan(11 * 60_000);

    expect((await verbs.challenge(name)).body).toMatchObject({ nameAvailable: false });
    expect((await service.get(`/v1/register/check-name/${name}`)).body).toEqual({
      available: false,
      reason: "The name is being registered.",
    });

    const answer = await service.post("/v1/register", {
      ...{ step: "register", agentName: name, agentType: "companion" },
      challengeId: first.body.challengeId,
      challengeAnswer: answerTo(first.body.question),
      systemPrompt: SECRET_PROMPT,
      agentDescription: "Listens to the weir.",
      publicFields: ["identity.description", "identity.agent_type"],
      publicIdentity: { tagline: "All ears.", tags: ["river"] },
      services: [
        { type: "a2a", url: "https://weir.example/a2a" },
        { type: "web", url: "https://weir.example/" },
      ],
      personalityDocument: { title: "Manners", content: "Says please.", immutable: true },
      birthBundle: { note: "Born at the weir", creatorName: "Ada" },
    });
    expect(answer.status).toBe(201);
    registered = answer.body;
    expect(registered).toEqual({
      registrationId: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/) as string,
      agentName: name,
      status: "pending_owner_claim",
      profileUrl: `${service.url}/agents/${name}`,
      claimUrl: `${service.url}/claim/${registered.registrationId}`,
      apiKey: expect.stringMatching(/^svc_provisional_[0-9A-Za-z]{49}$/) as string,
      soulHash: "pending: it is final once the owner claims this agent",
      message: expect.stringMatching(/claimUrl/) as string,
      claimExpiresAt: expect.stringMatching(/:[0-9]{2}\.000Z$/) as string,
      provisionalLimits: {
        note: expect.any(String) as string,
        ...{ canRead: true, canPost: false, canDisclose: false, canBind: false },
      },
    });
  });

  it("is claimed and sealed by one signature of its owner", async () => {
    const owner = newAccount();
    const signed = await verbs.signedClaim(registered.registrationId, owner);
    const claimed = await verbs.submitClaim(signed);
    expect(claimed.status).toBe(200);
  });
});
