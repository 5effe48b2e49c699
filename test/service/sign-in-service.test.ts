import { randomUUID } from "node:crypto";
import { parseSIWAMessage, signSIWAMessage } from "@buildersgarden/siwa/siwa";
import * as oauth from "oauth4webapi";
import type { LocalAccount } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey, parseApiKey } from "../../api/kernel/api-keys.ts";
import { SCOPES } from "../../api/kernel/scopes.ts";
import { type Answer, newAccount } from "../api/features/sign-in/harness.ts";
import { freshName } from "../fixtures/registrations.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// The whole sign-in service over HTTP, as the server wires it.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

const at = (path: string) => `/api/v1/auth/${path}`;
const post = (path: string, body: unknown) => service.post(at(path), body);

/** The wallet flow for a new agent. */
async function walletSignIn(owner: LocalAccount, options: object = {}): Promise<Answer> {
  const challenge = await post("challenge", { address: owner.address, ...options });
  const { nonce, message } = challenge.body;
  const signature = await owner.signMessage({ message });
  const verified = await post("verify", { nonce, message, signature });
  return verified.status === 200 ? post("token", { code: verified.body.code }) : verified;
}

async function agentSignIn(owner: LocalAccount, agentId: number): Promise<Answer> {
  const challenge = await post("agent/challenge", { address: owner.address, agentId });
  const { nonce, message } = challenge.body;
  const signature = await owner.signMessage({ message });
  return post("agent/verify", { nonce, message, signature });
}

const publicIdentity = {
  tagline: "Up before the birds.",
  bio: "Counts herons.",
  category: "knowledge",
  tags: ["birds", "rivers"],
  contacts: [{ type: "x", value: "@herons" }],
  image: "https://herons.example/face.png",
  website: "https://herons.example",
  serviceEndpoints: {
    a2a: "https://herons.example/a2a",
    mcp: "https://herons.example/mcp",
  },
};

describe("an agent that was registered here", () => {
  const owner = newAccount();
  const name = freshName();
  let registered: Answer["body"];
  beforeAll(async () => {
    registered = (await service.register(name, owner, { publicIdentity })).answer.body;
  });

  it("signs in with the SIWA reference client", async () => {
    const agentId = registered.erc8004AgentId;
    const challenge = await post("agent/challenge", { agentId, address: owner.address });
    const fields = parseSIWAMessage(challenge.body.message);
    const { message, signature } = await signSIWAMessage(fields, {
      getAddress: async () => owner.address,
      signMessage: (text) => owner.signMessage({ message: text }),
    });
    expect(message).toBe(challenge.body.message);
    const { nonce } = challenge.body;
    const { status, body } = await post("agent/verify", { nonce, message, signature });
    expect([status, body.tier, body.profile.agentName]).toEqual([200, 2, name]);
  });

  it("signs in with every claim of its scopes", async () => {
    const { status, body } = await walletSignIn(owner, { scope: SCOPES });
    expect([status, body.tier]).toEqual([200, 2]);
    expect(body.scopes).toEqual(SCOPES.filter((scope) => scope !== "human_verified"));
    const agentId = registered.erc8004AgentId;
    const did = `did:svc:31337:${name}`;
    const services = [
      { name: "A2A", endpoint: "https://herons.example/a2a", version: null },
      { name: "MCP", endpoint: "https://herons.example/mcp", version: null },
      { name: "web", endpoint: "https://herons.example", version: null },
    ];
    expect(body.profile).toEqual({
      agentId,
      agentName: name,
      holder: owner.address,
      erc8004AgentId: agentId,
      chainId: 31337,
      did,
      humanVerified: false,
      avatar: "https://herons.example/face.png",
      description: "Up before the birds.",
      tokenId: registered.tokenId,
      soulAlignment: null,
      soulHash: registered.soulHash,
      genesisRecord: {
        tokenId: registered.tokenId,
        genesisStatus: "SEALED",
        agentType: "specialist",
        epoch: 1,
        sealer: owner.address,
        soulHash: registered.soulHash,
        soulMerkleRoot: registered.soulMerkleRoot,
        sealedAt: expect.stringMatching(/^20[0-9]{2}-.*Z$/),
        mintTxHash: registered.mintTxHash,
        sealTxHash: registered.mintTxHash,
        arweaveTxId: registered.arweaveTxId,
      },
      certs: [{ contract: service.chain.contracts.soulCertificate, tokenId: registered.tokenId }],
      chronicles: [],
      services,
      bio: "Counts herons.",
      category: "knowledge",
      tags: ["birds", "rivers"],
      contacts: [{ type: "x", value: "@herons" }],
      didDocument: {
        "@context": expect.any(Array),
        id: did,
        controller: `did:pkh:eip155:31337:${owner.address}`,
        verificationMethod: [
          {
            id: `${did}#owner`,
            type: "EcdsaSecp256k1RecoveryMethod2020",
            keyType: "EcdsaSecp256k1",
            controller: did,
            blockchainAccountId: `eip155:31337:${owner.address}`,
          },
        ],
        authentication: [`${did}#owner`],
        assertionMethod: [`${did}#owner`],
        service: services.map((entry, index) => ({
          id: `${did}#service-${index + 1}`,
          type: entry.name,
          serviceEndpoint: entry.endpoint,
        })),
      },
    });
  });

  it("is identified by its API key", async () => {
    const answer = await post("verify-key", { apiKey: registered.apiKey });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        valid: true,
        agentName: name,
        tokenId: registered.tokenId,
        tier: 2,
        humanVerified: false,
        erc8004AgentId: registered.erc8004AgentId,
      },
    ]);
  });

  it("is not found under the id of an owner's registration, nor under an invalid id", async () => {
    const { rows } = await service.pool.query("select id from app.registration where name = $1", [
      name,
    ]);
    for (const id of [rows[0].id, randomUUID(), "1"]) {
      const none = await service.get(`/api/v1/register?id=${id}`);
      expect(none.headers.get("cache-control")).toBe("no-store");
      expect([none.status, none.body.error.type]).toEqual([404, "NOT_FOUND"]);
    }
    for (const query of ["", "?id=%00"]) {
      const refused = await service.get(`/api/v1/register${query}`);
      expect([refused.status, refused.body.error.type]).toEqual([400, "INVALID_REQUEST"]);
    }
  });
});

describe("verify-key", () => {
  const owner = newAccount();
  let apiKey: string;
  let tokenId: number;
  let agentId: number;
  beforeAll(async () => {
    const { answer } = await service.register(freshName(), owner);
    ({ apiKey, tokenId, erc8004AgentId: agentId } = answer.body);
  });
  const verify = async (key: unknown) => {
    const { status, body } = await post("verify-key", { apiKey: key });
    return [status, body];
  };
  const invalid = [200, { valid: false }];

  it("says valid: false, and nothing else, for anything but a full key", async () => {
    const unknown = generateApiKey("live");
    const flipped = `${apiKey.slice(0, -1)}${apiKey.endsWith("0") ? "1" : "0"}`;
    const others = ["", "svc_live_", "💥", "\u0001", "a".repeat(100_000), apiKey.toUpperCase()];
    for (const key of [unknown, flipped, `${apiKey} `, ...others]) {
      expect(await verify(key)).toEqual(invalid);
    }
    expect((await verify(apiKey))[1]).toMatchObject({ valid: true });
  });

  it("says the same of a provisional key", async () => {
    const key = generateApiKey("provisional");
    await service.pool.query(
      "insert into app.api_key (hash, kind, holder, hint, registration_id, created_at) values ($1, 'provisional', 'agent', 'a1B2', $2, now())",
      [parseApiKey(key)?.hash, randomUUID()],
    );
    expect(await verify(key)).toEqual(invalid);
  });

  it("says the same of a revoked key, and of one of another epoch", async () => {
    const change = async (set: string) => {
      const { rowCount } = await service.pool.query(
        `update app.api_key set ${set} where token_id = $1`,
        [tokenId],
      );
      expect(rowCount).toBe(1);
    };
    await change("revoked_at = now()");
    expect(await verify(apiKey)).toEqual(invalid);
    // Within its grace period it is valid.
    await change("revoked_at = now() + interval '1 hour'");
    expect((await verify(apiKey))[1]).toMatchObject({ valid: true });
    await change("revoked_at = null, epoch = 2");
    expect(await verify(apiKey)).toEqual(invalid);
    await change("epoch = 1");
    expect((await verify(apiKey))[1]).toMatchObject({ valid: true });
  });

  it("accepts only a text, and no other field", async () => {
    for (const body of [{}, { apiKey: 1 }, { apiKey: null }, { apiKey, more: 1 }, []]) {
      const answer = await post("verify-key", body);
      expect([answer.status, answer.body.error.type]).toEqual([400, "INVALID_REQUEST"]);
      expect(JSON.stringify(answer.body)).not.toContain(apiKey);
    }
  });

  it("ends with the passport's move, live, also when the index is behind", async () => {
    await service.chain.fund(owner.address);
    await service.chain.transferPassport(BigInt(agentId), owner, newAccount().address);
    expect(await verify(apiKey)).toEqual(invalid);
  });
});

describe("an independent OAuth client", () => {
  const client: oauth.Client = { client_id: "any-client" };
  const insecure = { [oauth.allowInsecureRequests]: true };

  async function server(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(service.url);
    return oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
    );
  }

  it("discovers the metadata", async () => {
    expect(await server()).toEqual({
      issuer: service.url,
      introspection_endpoint: `${service.url}/api/v1/auth/token/introspect`,
      introspection_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint: `${service.url}/api/v1/auth/token/revoke`,
      revocation_endpoint_auth_methods_supported: ["none"],
      scopes_supported: SCOPES,
      response_types_supported: [],
      grant_types_supported: [],
    });
  });

  it("introspects a token, revokes it, and then introspects that it is inactive", async () => {
    const owner = newAccount();
    const { answer } = await service.register(freshName(), owner);
    const agentId = answer.body.erc8004AgentId;
    const [token, other] = [
      (await agentSignIn(owner, agentId)).body.accessToken as string,
      (await agentSignIn(owner, agentId)).body.accessToken as string,
    ];
    const as = await server();
    const introspect = async (text: string) =>
      oauth.processIntrospectionResponse(
        as,
        client,
        await oauth.introspectionRequest(as, client, oauth.None(), text, insecure),
      );
    const revoke = async (text: string) =>
      oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, oauth.None(), text, insecure),
      );
    expect(await introspect(token)).toMatchObject({
      active: true,
      sub: owner.address,
      token_type: "Bearer",
      scope: "identity",
      tier: 2,
      erc8004AgentId: agentId,
    });
    expect(await revoke(token)).toBeUndefined();
    expect(await introspect(token)).toEqual({ active: false });
    // Again, and an invalid token: the same answer.
    expect(await revoke(token)).toBeUndefined();
    expect(await revoke("no token")).toBeUndefined();
    expect(await introspect(other)).toMatchObject({ active: true });
  });

  it("gets one answer to every revocation, as JSON and as a form, and none is cached", async () => {
    const owner = newAccount();
    await service.chain.fund(owner.address);
    const agentId = Number(await service.chain.registerPassport(owner));
    const token = (await agentSignIn(owner, agentId)).body.accessToken as string;
    for (const text of [token, token, "", "a.b.c", token.slice(0, -1)]) {
      const json = await post("token/revoke", { token: text, token_type_hint: "access_token" });
      expect([json.status, json.body]).toEqual([200, {}]);
      expect(json.headers.get("cache-control")).toBe("no-store");
      const form = await service.request(at("token/revoke"), {
        method: "POST",
        body: new URLSearchParams({ token: text }),
      });
      expect([form.status, form.body]).toEqual([200, {}]);
    }
    expect((await post("token/introspect", { token })).body).toEqual({ active: false });
    const missing = await post("token/revoke", {});
    expect([missing.status, missing.body.error]).toMatchObject([
      400,
      {
        type: "INVALID_REQUEST",
        details: { issues: [{ path: "token", message: expect.any(String) }] },
      },
    ]);
  });

  it("leaves a row per revoked token, which is removed when the token has expired", async () => {
    const count = async (which: string) => {
      const { rows } = await service.pool.query(
        `select count(*)::int as n from app.revoked_token where ${which}`,
      );
      return rows[0].n as number;
    };
    expect(await count("expires_at > now()")).toBeGreaterThan(0);
    await service.pool.query(
      "insert into app.revoked_token select 'old' || n, now() - interval '1 second' from generate_series(1, 25) n",
    );
    const owner = newAccount();
    await service.chain.fund(owner.address);
    const agentId = Number(await service.chain.registerPassport(owner));
    const before = await count("true");
    for (const left of [5, 0]) {
      const { accessToken } = (await agentSignIn(owner, agentId)).body;
      await post("token/revoke", { token: accessToken });
      expect(await count("jti like 'old%'")).toBe(left);
    }
    expect(await count("true")).toBe(before - 25 + 2);
  });
});

describe("the server", () => {
  it("logs once, at the start of each process, on which path it recovers signers", async () => {
    const lines = (await service.logLines()).filter((line) => line.includes("signatureRecovery"));
    const path: unknown = expect.stringMatching(/^(native|pure)$/);
    const said = lines.map(
      (line) => (JSON.parse(line) as Record<string, unknown>).signatureRecovery,
    );
    expect(said).toEqual([path, path]);
  });

  it("lets only its own origin's scripts read sign-in answers, and no cache store them", async () => {
    const from = (origin: string) =>
      service.request(at("challenge"), {
        method: "POST",
        headers: { origin, "content-type": "application/json" },
        body: JSON.stringify({ address: newAccount().address }),
      });
    const own = await from(service.url);
    expect(own.headers.get("access-control-allow-origin")).toBe(service.url);
    const foreign = await from("https://evil.example");
    expect(foreign.headers.get("access-control-allow-origin")).not.toBe("https://evil.example");
    expect(foreign.headers.get("access-control-allow-origin")).not.toBe("*");
    for (const { status, headers } of [own, foreign]) {
      expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    }
  });

  it("writes no token, key, code or signature to its log", async () => {
    const owner = newAccount();
    const { answer } = await service.register(freshName(), owner);
    const { accessToken } = (await walletSignIn(owner)).body;
    await post("verify-key", { apiKey: answer.body.apiKey });
    await post("token/introspect", { token: accessToken });
    await post("token/revoke", { token: accessToken });
    const secrets = [accessToken, accessToken.split(".")[2], answer.body.apiKey];
    const log = (await service.logLines()).join("");
    for (const secret of secrets) expect(log).not.toContain(secret);
  });
});
