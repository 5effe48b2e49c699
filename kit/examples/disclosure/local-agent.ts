// An agent of its own for each side of the example, on the stack that `npm start` boots.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { type Address, bytesToHex, type Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import {
  buildFieldTree,
  normaliseCcsf,
  soulHash,
  type TreeInput,
} from "../../../protocol/index.ts";

/** Where the example runs. */
export interface Place {
  readonly api: string;
  readonly rpcUrl: string;
  readonly soulView: Address;
  /** What follows the options. */
  readonly rest: readonly string[];
}

/** An agent with all that only its owner has: the key, the soul and its salt. */
export interface LocalAgent {
  readonly owner: PrivateKeyAccount;
  readonly name: string;
  readonly tokenId: number;
  readonly apiKey: string;
  /** What fields are proved from. It never leaves this process. */
  readonly soul: TreeInput;
  readonly merkleRoot: Hex;
}

/** Reads `--api` and `--rpc`. On another network write the contract's address down yourself. */
export async function readPlace(): Promise<Place> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      api: { type: "string", default: "http://127.0.0.1:8787" },
      rpc: { type: "string", default: "http://127.0.0.1:8545" },
    },
  });
  const { contracts } = (await (await fetch(`${values.api}/v1/status`)).json()) as {
    contracts: { soulView: Address };
  };
  return { api: values.api, rpcUrl: values.rpc, soulView: contracts.soulView, rest: positionals };
}

/** Calls the API with an agent's key. @throws Error for a refusal. */
export async function post<Answer>(
  { api }: Pick<Place, "api">,
  path: string,
  body: object,
  apiKey?: string,
): Promise<Answer> {
  const headers = new Headers({ "content-type": "application/json" });
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  const answer = await fetch(`${api}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

/** Registers an agent of a new owner. Only hashes of its soul and the salt are sent. */
export async function registerAgent(place: Place, purpose: string): Promise<LocalAgent> {
  const owner = privateKeyToAccount(generatePrivateKey());
  const name = `example-${randomBytes(6).toString("hex")}`;
  const salt = bytesToHex(randomBytes(32));
  const ccsf = normaliseCcsf({
    identity: { name, agent_type: "specialist", description: "An agent of an example." },
    soul: { purpose },
  });
  const hash = soulHash(salt, ccsf);
  const { leaves, root } = buildFieldTree({ ccsf, salt, soulHash: hash });
  const registration = {
    agentName: name,
    agentType: "specialist",
    soulHash: hash,
    soulSalt: salt,
    soulMerkleRoot: root,
    merkleLeaves: leaves,
    publicFields: {},
    sourceFormat: "ccsf_json",
    ownerAddress: owner.address,
  };
  type TypedData = Parameters<typeof owner.signTypedData>[0];
  const typedData = await post<TypedData>(place, "/v1/typed-data/register", registration);
  const { tokenId, apiKey } = await post<{ tokenId: number; apiKey: string }>(
    place,
    "/v1/register",
    {
      ...registration,
      message: typedData.message,
      signature: await owner.signTypedData(typedData),
      signer: owner.address,
    },
  );
  return { owner, name, tokenId, apiKey, soul: { ccsf, salt, soulHash: hash }, merkleRoot: root };
}

/** A server on a free port of this machine. `handle` gets each body, and gives the status. */
export async function listen(
  handle: (body: Uint8Array, headers: IncomingMessage["headers"]) => Promise<number>,
): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const status = await handle(await buffer(request), request.headers).catch((error: unknown) => {
      console.error(error);
      return 500;
    });
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}
