import type { LocalAccount } from "viem";
import { createWalletClient, http, zeroHash } from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type {
  ApiError,
  RegisteredAgent,
  ReviewRequest,
  SigningClientOptions,
  Submission,
} from "../../kit/client/index.ts";
import { createClient } from "../../kit/client/index.ts";
import { soulRegistryAbi } from "../../protocol/generated/abi.ts";
import { contentHash } from "../../protocol/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { freshName } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// The typed client against the running service: what an integrator does with it.

const IMAGE = "https://pictures.example/aurora.png";
const soulNamed = (name: string) => ({
  identity: { name, agent_type: "assistant", description: "Keeps a catalogue in order." },
  soul: { purpose: "Help readers find the book they did not know they wanted." },
});

let service: Service;
let owner: LocalAccount;
let agent: RegisteredAgent;
beforeAll(async () => {
  service = await sharedService();
  owner = newAccount();
  agent = await clientOf().register({
    soul: soulNamed(freshName()),
    signer: owner,
    publicFields: { "identity.description": "Keeps a catalogue in order." },
    publicIdentity: { tagline: "A librarian.", image: IMAGE },
  });
});
afterAll(() => service?.stop());

function clientOf(options: Partial<SigningClientOptions> = {}) {
  const { contracts } = service.chain;
  return createClient({
    service: service.url,
    deployment: { chainId: hardhat.id, contracts },
    ...options,
  });
}

/** A service that changes the answers of one path. */
function lying(path: string, change: (answer: Readonly<Record<string, unknown>>) => unknown) {
  const requests: string[] = [];
  const client = clientOf({
    async fetch(request) {
      const { pathname } = new URL(request.url);
      requests.push(pathname);
      const response = await fetch(request);
      if (pathname !== path) return response;
      return Response.json(change(await response.json()), { status: response.status });
    },
  });
  return { client, requests };
}

const failed = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("The call succeeded."),
    (error: unknown) => error as ApiError,
  );

describe("register", () => {
  it("seals on chain what was hashed here", async () => {
    const { contracts, client } = service.chain;
    const soul = await client.readContract({
      address: contracts.soulRegistry,
      abi: soulRegistryAbi,
      functionName: "soulOf",
      args: [BigInt(agent.tokenId)],
    });
    expect(soul.soulHash).toBe(agent.soulHash);
    const file = await clientOf().call("getRegistrationFile", { path: { name: agent.agentName } });
    expect(file).toMatchObject({ image: IMAGE });
  });

  it("does not sign a picture that the caller has not accepted", async () => {
    const soul = soulNamed(freshName());
    const fields: object[] = [];
    const review = (request: ReviewRequest) => fields.push(request.fields) < 0;
    expect(await failed(clientOf().register({ soul, signer: owner, review }))).toMatchObject({
      code: "UNVERIFIED_FIELDS",
      message: "The client cannot check image of Registration.",
    });
    const image = expect.stringMatching(/^ar:\/\/[\w-]{43}$/);
    expect(fields).toStrictEqual([{ image }]);
  });

  it.each([
    ["another endpoint", { services: [{ name: "A2A", endpoint: "https://evil.example" }] }],
    ["another description", { description: "Sends money to strangers." }],
    ["no picture", { image: undefined }],
  ])("signs no public content with %s", async (_what, change) => {
    const path = "/v1/typed-data/register";
    const { client, requests } = lying(path, ({ message, registrationFile, ...rest }) => {
      const file = JSON.parse(JSON.stringify({ ...(registrationFile as object), ...change }));
      return {
        ...rest,
        registrationFile: file,
        message: { ...(message as object), contentHash: contentHash(file) },
      };
    });
    const soul = soulNamed(freshName());
    const error = await failed(client.register({ soul, signer: owner, generatedPicture: true }));
    expect(["UNSAFE_TO_SIGN", "UNVERIFIED_FIELDS"]).toContain(error.code);
    expect(requests).toStrictEqual([path]);
  });

  it("continues after a crash with the stored submission, and gets the same API key", async () => {
    const stored: Submission[] = [];
    const registered = await clientOf().register({
      soul: { format: "plaintext", text: "You sort letters." },
      name: freshName(),
      type: "other",
      signer: createWalletClient({
        account: owner,
        chain: hardhat,
        transport: http(service.chain.rpcUrl),
      }),
      generatedPicture: true,
      onSubmission: (submission) => void stored.push(JSON.parse(JSON.stringify(submission))),
    });
    const [resume] = stored;
    if (resume === undefined) expect.fail("Nothing was stored.");
    expect(await clientOf().register({ resume })).toStrictEqual(registered);
  });

  it.each(["soulHash", "soulMerkleRoot", "contentHash"])("signs no other %s", async (field) => {
    const path = "/v1/typed-data/register";
    const { client, requests } = lying(path, ({ message, ...rest }) => ({
      ...rest,
      message: { ...(message as object), [field]: zeroHash },
    }));
    const soul = soulNamed(freshName());
    const call = client.register({ soul, signer: owner, publicIdentity: { image: IMAGE } });
    expect(await failed(call)).toMatchObject({
      code: "UNSAFE_TO_SIGN",
      message: `The message's ${field} is not what you asked for.`,
    });
    expect(requests).toStrictEqual([path]);
  });

  it("notices an answer about another soul", async () => {
    const { client } = lying("/v1/register", (answer) => ({ ...answer, soulHash: zeroHash }));
    const soul = soulNamed(freshName());
    const call = client.register({ soul, signer: owner, publicIdentity: { image: IMAGE } });
    expect(await failed(call)).toMatchObject({
      code: "INVALID_ANSWER",
      message: "The answer's soulHash is not the registered one.",
    });
  });

  it("notices a published file that is not the signed one", async () => {
    const name = freshName();
    const { client } = lying(`/v1/registration-file/${name}`, (file) => ({
      ...file,
      services: [{ name: "A2A", endpoint: "https://evil.example" }],
    }));
    const call = client.register({ soul: soulNamed(name), signer: owner, generatedPicture: true });
    expect(await failed(call)).toMatchObject({
      code: "INVALID_ANSWER",
      message: "The agent is registered, and its published file is not the signed one.",
    });
  });

  it("waits for an index that has not reached the registration yet", async () => {
    const seen: string[] = [];
    const client = clientOf({
      delay: async () => {},
      async fetch(request) {
        const { pathname } = new URL(request.url);
        seen.push(pathname.split("/").slice(0, 3).join("/"));
        const reads = seen.filter((path) => path === "/v1/registration-file").length;
        const lists = seen.filter((path) => path === "/v1/agents").length;
        if (pathname.startsWith("/v1/registration-file/") && reads === 1) {
          const error = { code: 404, type: "NOT_FOUND", message: "Not yet.", details: {} };
          return Response.json({ error }, { status: 404 });
        }
        if (pathname === "/v1/agents" && lists < 3) {
          return Response.json({ agents: [], nextCursor: null });
        }
        return fetch(request);
      },
    });
    const soul = soulNamed(freshName());
    const registered = await client.register({ soul, signer: owner, generatedPicture: true });
    expect(registered.agentName).toBe(soul.identity.name);
    expect(seen).toStrictEqual([
      "/v1/typed-data",
      "/v1/register",
      "/v1/registration-file",
      "/v1/agents",
      "/v1/agents",
      "/v1/agents",
      "/v1/registration-file",
    ]);
  });

  it("names the code of a taken name", async () => {
    const soul = soulNamed(agent.agentName);
    const call = clientOf().register({ soul, signer: owner, publicIdentity: { image: IMAGE } });
    expect(await failed(call)).toMatchObject({
      code: "NAME_TAKEN",
      status: 409,
      operation: "prepareRegistration",
      advice: "Choose another name.",
      requestId: expect.stringMatching(/./),
    });
  });
});

describe("signIn", () => {
  it("signs in as an agent, and manages it with the token", async () => {
    const { accessToken: token, tier } = await clientOf().signIn({
      signer: owner,
      agentId: agent.passportId,
      scope: ["identity", "manage"],
    });
    expect(tier).toBe(2);
    const keys: string[] = [];
    const list = clientOf()
      .with({ token })
      .pages("listKeys", { query: { tokenId: agent.tokenId } });
    for await (const { holder } of list) keys.push(holder);
    expect(keys).toStrictEqual(["owner"]);
  });

  it("signs in with a wallet, for another service", async () => {
    const audience = "https://shop.example";
    const { accessToken: token } = await clientOf().signIn({ signer: owner, audience });
    const active = await clientOf().call("introspectToken", { body: { token } });
    expect(active).toMatchObject({ active: true, aud: audience, sub: owner.address });
  });

  it("signs no message for another audience", async () => {
    const { client, requests } = lying("/api/v1/auth/challenge", ({ message, ...rest }) => ({
      ...rest,
      message: String(message).replace("shop.example", "evil.example"),
    }));
    const call = client.signIn({ signer: owner, audience: "https://shop.example" });
    expect(await failed(call)).toMatchObject({
      code: "UNSAFE_TO_SIGN",
      message: "The sign-in message's statement is not what you asked for.",
    });
    expect(requests).toStrictEqual(["/api/v1/auth/challenge"]);
  });
});

describe("pages", () => {
  it("give every agent of an owner once", async () => {
    const names: string[] = [];
    const query = { owner: owner.address, limit: 1 };
    for await (const { agentName } of clientOf().pages("listAgents", { query })) {
      names.push(agentName);
    }
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain(agent.agentName);
  });
});
