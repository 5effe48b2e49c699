import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { exportJWK, generateKeyPair } from "jose";
import { bytesToHex, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkedAgentKeys } from "../../kit/agent-keys/index.ts";
import {
  disclose,
  ForbiddenEndpointError,
  type PeerDisclosure,
  sendDisclosure as sendFromBrowser,
} from "../../kit/disclosure/disclose.ts";
import { DISCLOSURE_DOCUMENT } from "../../kit/disclosure/document.ts";
import { type ReceivedDisclosure, receiveDisclosure } from "../../kit/disclosure/receive.ts";
import { sendDisclosure } from "../../kit/disclosure/send.ts";
import { DISCLOSURE_SIGNATURE_HEADER, type Field, type P256Jwk } from "../../protocol/index.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { type KnownAgent, knownAgent } from "../fixtures/disclosures.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { type Service, sharedService } from "../fixtures/service.ts";
import { svc } from "../fixtures/svc.ts";

// Disclosures from peer to peer with the kit: of the service only the chain is used.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

const FIELDS: readonly Field[] = ["soul.purpose", "soul.guidelines"];
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSX = join(ROOT, "node_modules/tsx/dist/cli.mjs");
const SOON = { timeout: 50_000, interval: 100 };
const LATER = new Date(Date.now() + 24 * 3_600_000);

const proven = (agent: KnownAgent, fields = FIELDS) =>
  fields.map((field) => ({ ...agent.proof(field), merkleRoot: agent.root as Hex }));

const wish = (agent: KnownAgent, requestId: string, more: Partial<PeerDisclosure> = {}) => ({
  requestId,
  fromAgent: agent.name,
  fromTokenId: agent.tokenId,
  disclosures: proven(agent),
  expiresAt: LATER,
  sign: (raw: Hex) => agent.owner.signMessage({ message: { raw } }),
  ...more,
});

/** A requester that asked `agent` for the fields, with the requests that were answered. */
function requester(agent: KnownAgent, requestId: string, requestedFields = FIELDS) {
  const answered = new Set<string>();
  return {
    rpcUrl: service.chain.rpcUrl,
    soulView: service.chain.contracts.soulView,
    request: (id: string) =>
      id === requestId ? { targetAgentName: agent.name, requestedFields, expiresAt: LATER } : null,
    seen(id: string) {
      const was = answered.has(id);
      answered.add(id);
      return was;
    },
    now: new Date(),
  };
}

type Receiver = ReturnType<typeof requester> & Partial<ReceivedDisclosure>;

const receive = (
  receiver: Receiver,
  { body, headers }: Awaited<ReturnType<typeof disclose>>,
  more: Partial<ReceivedDisclosure> = {},
) =>
  receiveDisclosure({
    ...receiver,
    rawBody: body,
    signature: headers[DISCLOSURE_SIGNATURE_HEADER] ?? null,
    ...more,
  });

const refused = (reason: string) => ({ ok: false, reason });

describe("receiveDisclosure", () => {
  it("accepts what the live owner signed for a request, once", async () => {
    const agent = await knownAgent(service);
    const requestId = randomUUID();
    const receiver = requester(agent, requestId);
    const signed = await disclose(wish(agent, requestId));
    expect(await receive(receiver, signed)).toEqual({
      ok: true,
      disclosure: {
        requestId,
        fromAgent: agent.name,
        fromTokenId: agent.tokenId,
        disclosures: proven(agent),
        expiresAt: LATER.toISOString(),
      },
    });
    expect(await receive(receiver, signed)).toEqual(refused("seen_before"));
  });

  it("accepts values that are encrypted to the key of the request", async () => {
    const agent = await knownAgent(service);
    const requestId = randomUUID();
    const privateKey = secp256k1.utils.randomSecretKey();
    const publicKey = bytesToHex(secp256k1.getPublicKey(privateKey, true));
    const signed = await disclose(
      wish(agent, requestId, { encryptTo: { kind: "secp256k1", publicKey } }),
    );
    const { purpose } = agent.ccsf.soul;
    expect(signed.body).not.toContain(purpose);
    const receiver = requester(agent, requestId);
    expect(await receive(receiver, signed)).toEqual(refused("undecryptable"));
    const secrets = { secp256k1: bytesToHex(privateKey) };
    expect(await receive(receiver, signed, { secrets })).toMatchObject({
      ok: true,
      disclosure: { disclosures: proven(agent) },
    });
  });

  it("accepts values that are encrypted to a key that the chain names for the requester", async () => {
    const world = ownerSigned(service);
    const [agent, asking] = [await knownAgent(service), await world.newAgent()];
    const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
    const { kty, crv, x, y } = await exportJWK(publicKey);
    const keys = [{ kty, crv, x, y, use: "enc", exp: 4_000_000_000 }];
    const { tokenId, owner } = asking;
    const change = await world.signed("agent-keys", { tokenId, keys }, owner);
    const path = `/v1/agents/${asking.name}/jwks.json`;
    expect((await world.send("PUT", path, change)).status).toBe(200);
    const served = await fetch(`${service.url}${path}`);
    const [key] = await checkedAgentKeys({
      rpcUrl: service.chain.rpcUrl,
      agentKeys: service.chain.contracts.agentKeys,
      tokenId: BigInt(tokenId),
      keySet: new Uint8Array(await served.arrayBuffer()),
    });
    const requestId = randomUUID();
    const signed = await disclose(
      wish(agent, requestId, { encryptTo: { kind: "agentKey", key: key as P256Jwk } }),
    );
    expect(signed.body).not.toContain(agent.ccsf.soul.purpose);
    const receiver = requester(agent, requestId);
    expect(await receive(receiver, signed)).toEqual(refused("undecryptable"));
    const secrets = { agentKey: await exportJWK(privateKey) };
    expect(await receive(receiver, signed, { secrets })).toMatchObject({
      ok: true,
      disclosure: { disclosures: proven(agent) },
    });
  });

  it("refuses what was changed, is unsigned, or was signed by another account", async () => {
    const agent = await knownAgent(service);
    const requestId = randomUUID();
    const receiver = requester(agent, requestId);
    const signed = await disclose(wish(agent, requestId));
    const changed = { ...signed, body: `${signed.body} ` };
    expect(await receive(receiver, changed)).toEqual(refused("signer_not_owner"));
    for (const signature of [null, "", "sha256=", "sha1=00", "sha256=0g", "sha256=000"]) {
      expect(await receive(receiver, signed, { signature })).toEqual(
        refused("malformed_signature"),
      );
    }
    const stranger = newAccount();
    const sign = (raw: Hex) => stranger.signMessage({ message: { raw } });
    const foreign = await disclose(wish(agent, requestId, { sign }));
    expect(await receive(receiver, foreign)).toEqual(refused("signer_not_owner"));
    // None of them has used the request up.
    expect(await receive(receiver, signed)).toMatchObject({ ok: true });
  });

  it("refuses wrong values, even of the owner", async () => {
    const [agent, other] = [await knownAgent(service), await knownAgent(service)];
    const requestId = randomUUID();
    const receiver = requester(agent, requestId);
    const [first, second] = proven(agent);
    if (first === undefined || second === undefined) throw new Error("Two fields were asked.");
    const wrong = [
      [{ ...first, value: "Counts geese." }, second],
      [{ ...first, merkleProof: second.merkleProof }],
      proven(other),
      [{ ...first, merkleRoot: other.root as Hex }],
    ];
    for (const disclosures of wrong) {
      const signed = await disclose(wish(agent, requestId, { disclosures }));
      expect(await receive(receiver, signed)).toEqual(refused("wrong_proof"));
    }
  });

  it("refuses other requests, other agents, other fields, and late answers", async () => {
    const [agent, other] = [await knownAgent(service), await knownAgent(service)];
    const requestId = randomUUID();
    const receiver = requester(agent, requestId);
    const answers: [string, Partial<PeerDisclosure>][] = [
      ["unknown_request", { requestId: randomUUID() }],
      ["unknown_request", { fromAgent: other.name }],
      ["unknown_request", { fromTokenId: other.tokenId }],
      ["unrequested_field", { disclosures: proven(agent, ["soul.personality"]) }],
      ["expired", { expiresAt: receiver.now }],
      ["malformed_body", { disclosures: [] }],
      ["malformed_body", { disclosures: [...proven(agent), ...proven(agent)] }],
    ];
    for (const [reason, more] of answers) {
      const signed = await disclose(wish(agent, requestId, more));
      expect([more, await receive(receiver, signed)]).toEqual([more, refused(reason)]);
    }
    const signed = await disclose(wish(agent, requestId));
    expect(await receive(receiver, signed, { now: LATER })).toEqual(refused("request_expired"));
    const { headers } = signed;
    for (const body of ["", "[]", "{}", '{"requestId":1}', '{"a":1,"a":1}', "[".repeat(1e5)]) {
      expect(await receive(receiver, { body, headers })).toEqual(refused("malformed_body"));
    }
  });

  it("refuses the seller once the passport is sold", async () => {
    const agent = await knownAgent(service);
    const requestId = randomUUID();
    const signed = await disclose(wish(agent, requestId));
    await service.chain.fund(agent.owner.address);
    const buyer = newAccount().address;
    await service.chain.transferPassport(BigInt(agent.passportId), agent.owner, buyer);
    expect(await receive(requester(agent, requestId), signed)).toEqual(refused("soul_not_valid"));
  });
});

describe("the example of both sides", () => {
  const run = (name: "owner" | "requester", ...args: string[]) => {
    const place = ["--api", service.url, "--rpc", service.chain.rpcUrl];
    const process_ = spawn(
      process.execPath,
      [TSX, join(ROOT, `kit/examples/disclosure/${name}.ts`), ...place, ...args],
      { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] },
    );
    const output: string[] = [];
    for (const stream of [process_.stdout, process_.stderr]) {
      stream.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    }
    const ended = once(process_, "close").then(([code]) => [code, output.join("")]);
    return { output, ended, stop: () => process_.kill() };
  };

  it("runs from its files, with the commands of the documentation", async () => {
    const guide = await readFile(join(ROOT, "docs/disclosure.md"), "utf8");
    const command = "scripts/with-toolchain tsx kit/examples/disclosure/";
    expect(guide).toContain(`${command}owner.ts\n${command}requester.ts <`);

    const owner = run("owner");
    try {
      const next = /kit\/examples\/disclosure\/requester\.ts (\S+)/;
      const name = await vi.waitFor(() => {
        const found = next.exec(owner.output.join(""))?.[1];
        if (found === undefined) throw new Error(`Not ready: ${owner.output.join("")}`);
        return found;
      }, SOON);
      const requester = run("requester", name);
      expect(await requester.ended).toEqual([
        0,
        `Asked ${name} for soul.purpose.\nsoul.purpose of ${name}, proved on chain: Counts herons at dawn.\n`,
      ]);
      const [code, text] = await owner.ended;
      expect([code, text]).toEqual([
        0,
        expect.stringMatching(
          /asks for soul\.purpose: "To compare notes\."\nDelivered soul\.purpose and recorded it\./,
        ),
      ]);
    } finally {
      owner.stop();
    }
  });
});

describe("sendDisclosure", () => {
  const answering = async (
    respond: (response: ServerResponse, body: Buffer) => void,
    work: (url: string) => Promise<void>,
  ) => {
    const server = createServer(async (request, response) => {
      respond(response, await buffer(request));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    } finally {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  };
  const signed = { body: '{"x":1}', headers: { "content-type": "application/json" } };
  const LOCAL = { loopbackHttp: true } as const;

  /** Answers with a body that does not end. */
  function endless(response: ServerResponse): void {
    response.writeHead(503);
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  }

  it("delivers the body as it was signed", async () => {
    const bodies: string[] = [];
    await answering(
      (response, body) => {
        bodies.push(body.toString());
        response.end("anything");
      },
      async (url) => expect(await sendDisclosure(url, signed, LOCAL)).toEqual({ delivered: true }),
    );
    expect(bodies).toEqual([signed.body]);
  });

  it("reports a requester that redirects, refuses, is slow or offline", async () => {
    const outcome = (reason: string, status: number | null) => ({
      delivered: false,
      reason,
      status,
    });
    const cases: [(response: ServerResponse) => void, number | undefined, object][] = [
      [
        (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
        undefined,
        outcome("redirect", 302),
      ],
      [(response) => response.writeHead(500).end("garbage"), undefined, outcome("refused", 500)],
      [
        (response) => response.socket?.end("no HTTP\r\n\r\n"),
        undefined,
        outcome("unreachable", null),
      ],
      [() => {}, 50, outcome("timeout", null)],
      [endless, undefined, outcome("refused", 503)],
    ];
    let closed = "";
    for (const [respond, timeoutMs, expected] of cases) {
      await answering(respond, async (url) => {
        closed = url;
        const options = timeoutMs === undefined ? LOCAL : { ...LOCAL, timeoutMs };
        expect(await sendDisclosure(url, signed, options)).toEqual(expected);
      });
    }
    expect(await sendDisclosure(closed, signed, LOCAL)).toEqual(outcome("unreachable", null));
  });

  it("uses only https and public addresses unless it is configured for local development", async () => {
    let calls = 0;
    await answering(
      (response) => {
        calls += 1;
        response.end();
      },
      async (url) => {
        const { port } = new URL(url);
        for (const hostile of [
          url,
          `https://127.0.0.1:${port}/`,
          `https://[::ffff:127.0.0.1]:${port}/`,
          `https://0x7f.1:${port}/`,
          `https://localhost:${port}/`,
          `https://localhost.:${port}/`,
          "https://10.1.2.3/",
          "https://169.254.169.254/latest/meta-data",
          "https://168.63.129.16/",
          "https://[fd00:ec2::254]/",
          "https://printer.local/",
          "https://user:password@93.184.216.34/",
          "ftp://93.184.216.34/",
          "not a URL",
        ]) {
          for (const send of [sendDisclosure, sendFromBrowser]) {
            await expect(send(hostile, signed), hostile).rejects.toThrow(
              "Values are sent over https to public hosts only. The requester named another endpoint.",
            );
          }
        }
        // Local development opens this machine over http, and nothing else.
        for (const hostile of ["http://10.1.2.3/", "http://93.184.216.34/", "https://10.1.2.3/"]) {
          await expect(sendDisclosure(hostile, signed, LOCAL), hostile).rejects.toThrow(
            ForbiddenEndpointError,
          );
        }
        for (const send of [sendDisclosure, sendFromBrowser]) {
          expect(await send(url, signed, LOCAL)).toEqual({ delivered: true });
        }
      },
    );
    expect(calls).toBe(2);
  });
});

describe("svc verify disclosure", () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "svc-disclosure-"));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const document = (agent: KnownAgent, change: object = {}) => ({
    format: DISCLOSURE_DOCUMENT,
    chainId: 31337,
    soulView: service.chain.contracts.soulView,
    agentName: agent.name,
    tokenId: agent.tokenId,
    disclosures: proven(agent),
    issuedTo: null,
    issuedAt: new Date().toISOString(),
    expiresAt: null,
    ...change,
  });

  async function verify(content: object | string, ...options: string[]) {
    const path = join(directory, randomUUID());
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    const known = options.length === 0 ? ["--view", service.chain.contracts.soulView] : options;
    const args = [path, "--rpc", service.chain.rpcUrl, ...known];
    const { code, stdout, stderr } = await svc(["verify", "disclosure", ...args]);
    return [code, `${stdout}${stderr}`.replace(path, "<file>")];
  }

  it("finds a true document valid, from the node alone", async () => {
    const agent = await knownAgent(service);
    const why = `valid: soul.purpose, soul.guidelines of ${agent.name} have these values on chain.\n`;
    expect(await verify(document(agent))).toEqual([0, why]);
  });

  it("asks for the contract's address, which a document could invent", async () => {
    const agent = await knownAgent(service);
    const unknown =
      "Give --deployment, or --view with the address of the SoulView contract that you trust.";
    for (const view of [[], ["--view", "0x12"]]) {
      const path = join(directory, randomUUID());
      await writeFile(path, JSON.stringify(document(agent)));
      const args = ["verify", "disclosure", path, "--rpc", service.chain.rpcUrl, ...view];
      expect(await svc(args)).toEqual({
        code: 2,
        stdout: "",
        stderr: `svc verify disclosure: ${unknown}\nSee: svc verify disclosure --help\n`,
      });
    }
  });

  it("says what is wrong with any other", async () => {
    const [agent, other] = [await knownAgent(service), await knownAgent(service)];
    const [first] = proven(agent);
    const registry = service.chain.contracts.soulRegistry;
    const view = service.chain.contracts.soulView;
    const sold = await knownAgent(service);
    await service.chain.fund(sold.owner.address);
    const buyer = newAccount().address;
    await service.chain.transferPassport(BigInt(sold.passportId), sold.owner, buyer);
    const cases: [object, string[], string][] = [
      [
        document(agent, { disclosures: [{ ...first, value: "Counts geese." }] }),
        [],
        `soul.purpose of ${agent.name} does not have this value on chain.`,
      ],
      [
        document(agent, { agentName: other.name }),
        [],
        `Soul ${agent.tokenId} is named ${agent.name}, not ${other.name}.`,
      ],
      [
        document(agent, { chainId: 8453 }),
        [],
        "The document is for chain 8453, the node is on 31337.",
      ],
      [document(agent, { tokenId: 2 ** 40 }), [], `The contract ${view} knows no soul ${2 ** 40}.`],
      [
        document(agent),
        ["--view", registry],
        `The document names the contract ${view}, not ${registry}.`,
      ],
      [
        document(agent, { expiresAt: "2020-01-31T12:00:00.000Z" }),
        [],
        "The disclosure expired at 2020-01-31T12:00:00.000Z.",
      ],
      [document(sold), [], `${sold.name} is not valid: it was sold, suspended or burned.`],
      [document(agent, { disclosures: [] }), [], "This is not a disclosure document."],
      [document(agent, { format: "v0" }), [], "This is not a disclosure document."],
    ];
    for (const [content, options, why] of cases) {
      expect(await verify(content, ...options)).toEqual([1, `not valid: ${why}\n`]);
    }
  });

  it("does not judge what it cannot read", async () => {
    const problem = (message: string) =>
      `svc verify disclosure: ${message}\nSee: svc verify disclosure --help\n`;
    expect(await verify("no JSON")).toEqual([2, problem("<file> holds no JSON.")]);
    expect(await svc(["verify", "disclosure"])).toMatchObject({
      code: 2,
      stderr: problem(
        "<document.json> is missing: A disclosure document in a file, or - for standard input",
      ),
    });
    const agent = await knownAgent(service);
    const view = ["--view", service.chain.contracts.soulView];
    const offline = ["verify", "disclosure", "-", "--rpc", "http://127.0.0.1:1", ...view];
    const standardInput = JSON.stringify(document(agent));
    expect(await svc(offline, { standardInput })).toEqual({
      code: 2,
      stdout: "",
      stderr: "svc verify disclosure: The node cannot be reached.\nCheck --rpc or SVC_RPC_URL.\n",
    });
  });
});
