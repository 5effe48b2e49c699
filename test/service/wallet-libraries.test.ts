import { SignTypedDataVersion, signTypedData } from "@metamask/eth-sig-util";
import { Wallet } from "ethers";
import type { Hex, SignTypedDataParameters } from "viem";
import { hexToBytes } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityRegistryAbi } from "../../protocol/generated/abi.ts";
import { EIP712_DOMAIN_TYPE } from "../../protocol/index.ts";
import type { Answer } from "../api/features/sign-in/harness.ts";
import { newAccount } from "../api/features/sign-in/harness.ts";
import { agentVerbs } from "../fixtures/agent-verbs.ts";
import { TERMS } from "../fixtures/audits.ts";
import { ownerSigned } from "../fixtures/owner-signed.ts";
import { freshName, idempotencyKey, registrationBody } from "../fixtures/registrations.ts";
import { type Service, sharedService } from "../fixtures/service.ts";

// Owners sign with any wallet: typed data is answered in the form that eth_signTypedData_v4 takes.

let service: Service;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());

/** The answer of POST /v1/typed-data/{operation}. */
interface TypedData {
  readonly domain: Record<string, unknown>;
  readonly types: {
    readonly EIP712Domain: { name: string; type: string }[];
    readonly [type: string]: { name: string; type: string }[];
  };
  readonly primaryType: string;
  readonly message: Record<string, unknown>;
}

type Sign = (typedData: TypedData, privateKey: `0x${string}`) => string | Promise<string>;

/** How each library signs an answer. Only ethers needs a change to it. */
const libraries: Readonly<Record<string, Sign>> = {
  "MetaMask's eth-sig-util": (typedData, privateKey) =>
    signTypedData({
      privateKey: Buffer.from(hexToBytes(privateKey)),
      data: typedData,
      version: SignTypedDataVersion.V4,
    }),
  viem: (typedData, privateKey) =>
    privateKeyToAccount(privateKey).signTypedData(typedData as unknown as SignTypedDataParameters),
  ethers: ({ domain, types, message }, privateKey) => {
    const { EIP712Domain: _domainType, ...own } = types;
    return new Wallet(privateKey).signTypedData(domain, own, message);
  },
};

async function typedDataOf(operation: string, body: object): Promise<TypedData> {
  const answer = await service.post(`/v1/typed-data/${operation}`, body);
  expect([operation, answer.status]).toEqual([operation, 200]);
  return answer.body;
}

/** Sets the agent's wallet with a registration's answer, and reads it as payers do. */
async function setAgentWallet(
  registered: Answer["body"],
  privateKey: `0x${string}`,
  sign: Sign,
): Promise<void> {
  const owner = privateKeyToAccount(privateKey);
  const { contracts, client, fund } = service.chain;
  const { address, typedData, transaction } = registered.agentWallet;
  const [agentId, newWallet] = transaction.args;
  expect(address).toBeNull();
  expect(transaction).toMatchObject({
    to: contracts.identityRegistry,
    functionName: "setAgentWallet(uint256,address,uint256,bytes)",
  });
  expect(newWallet).toBe(owner.address);
  const before = await service.get(`/v1/profile/${registered.agentName}`);
  expect(before.body.agentWallet).toBeNull();
  await fund(owner.address);
  // Other tests move the chain's time ahead: the deadline is set anew, as an owner does later.
  const { timestamp } = await client.getBlock();
  const deadline = (timestamp + 240n).toString();
  const message = { ...typedData.message, deadline };
  const signature = (await sign({ ...typedData, message }, privateKey)) as Hex;
  const hash = await client.writeContract({
    account: owner,
    address: transaction.to,
    abi: identityRegistryAbi,
    functionName: "setAgentWallet",
    args: [BigInt(agentId), newWallet, BigInt(deadline), signature],
  });
  const receipt = await client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  expect(receipt.status).toBe("success");
  const after = await service.get(
    `/v1/profile/${registered.agentName}?minBlock=${receipt.blockNumber}`,
  );
  expect([after.status, after.body.agentWallet]).toEqual([200, owner.address]);
}

describe.each(Object.entries(libraries))("%s", (_library, sign) => {
  it("signs a registration that the contract accepts", async () => {
    const privateKey = generatePrivateKey();
    const owner = privateKeyToAccount(privateKey);
    const body = registrationBody(freshName(), owner);
    const typedData = await typedDataOf("register", body);
    const { status, body: registered } = await service.submit(
      {
        ...body,
        message: typedData.message,
        signature: await sign(typedData, privateKey),
        signer: owner.address,
      },
      idempotencyKey(),
    );
    expect([status, registered.genesisStatus]).toEqual([201, "SEALED"]);

    await setAgentWallet(registered, privateKey, sign);
  });
});

it("gives typed data that three libraries sign alike, for every operation", async () => {
  const { newAgent, approve, sendReady } = ownerSigned(service);
  const privateKey = generatePrivateKey();
  const owner = privateKeyToAccount(privateKey);
  const agent = await newAgent(owner);
  await approve(agent);
  const { registrationId } = await agentVerbs(service).registerAgent(freshName());
  const unsealedName = freshName();
  const unsealed = await agentVerbs(service).registerAgent(unsealedName);
  const claim = await agentVerbs(service).signedClaim(unsealed.registrationId, owner, {
    seal: false,
  });
  const claimed = await agentVerbs(service).submitClaim(claim);
  expect(claimed.status).toBe(200);
  const { tokenId } = agent;
  // The registry lets only the passport's owner request a validation: the refusal holds the
  // transaction that does.
  const unasked = await service.post("/v1/typed-data/validate", { tokenId });
  expect(unasked.body.error.type).toBe("APPROVAL_REQUIRED");
  await sendReady(unasked.body.error.details.transaction, owner);
  const bodies: Record<string, object> = {
    register: registrationBody(freshName(), owner),
    claim: { registrationId, ownerAddress: owner.address },
    seal: { tokenId: claimed.body.tokenId },
    chronicle: { tokenId, category: "technical", data: { title: "Counted herons" } },
    did: {
      tokenId,
      addAddress: {
        chain: "eip155:1",
        address: newAccount().address,
        label: "Treasury",
        keyType: "EcdsaSecp256k1",
      },
    },
    "registration-file": { tokenId, services: [{ name: "MCP", endpoint: "https://h.example" }] },
    "agent-uri-update": {
      erc8004AgentId: Number(agent.passportId),
      services: [{ name: "MCP", endpoint: "https://h.example" }],
    },
    validate: { tokenId },
    "regulatory-audit": { tokenId, ...TERMS },
  };
  for (const [operation, body] of Object.entries(bodies)) {
    const typedData = await typedDataOf(operation, body);
    expect(typedData.types.EIP712Domain).toEqual(EIP712_DOMAIN_TYPE);
    const signatures = await Promise.all(
      Object.values(libraries).map((sign) => sign(typedData, privateKey)),
    );
    expect([operation, new Set(signatures).size]).toEqual([operation, 1]);
  }
});
