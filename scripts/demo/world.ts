import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  createTestClient,
  type Hex,
  http,
  type LocalAccount,
  publicActions,
  type TransactionReceipt,
  walletActions,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hardhat } from "viem/chains";
import { type Client, createClient, type RegisteredAgent } from "../../kit/client/index.ts";
import type { Artifact } from "../lib/artifacts.ts";
import type { Stack } from "../local-stack/stack.ts";
import { type AgentName, type DemoSoul, PEOPLE, type Person } from "./cast.ts";
import type { EndpointsServer } from "./endpoints-server.ts";

/** An agent as its owner has it. */
export interface LivingAgent
  extends Pick<RegisteredAgent, "tokenId" | "passportId" | "apiKey" | "soulHash" | "soulSalt"> {
  readonly owner: LocalAccount;
  readonly soul: DemoSoul;
}

/** The chain, the service and the people that the steps of the demonstration act with. */
export interface World {
  readonly stack: DemoStack;
  readonly client: Client;
  readonly endpoints: EndpointsServer;
  readonly person: (name: Person) => LocalAccount;
  /** @throws Error for an agent that was not registered by an earlier step. */
  readonly agent: (name: AgentName) => LivingAgent;
  readonly join: (name: AgentName, agent: LivingAgent) => void;
  /** Sends a transaction and waits until it is mined. @throws Error when it reverted. */
  readonly send: <const A extends Abi, Name extends WriteName<A>>(
    account: LocalAccount,
    call: {
      readonly address: Address;
      readonly abi: A;
      readonly functionName: Name;
      readonly args: ContractFunctionArgs<A, "nonpayable" | "payable", Name>;
    },
  ) => Promise<TransactionReceipt>;
  readonly deploy: (
    account: LocalAccount,
    contract: Pick<Artifact, "abi" | "bytecode">,
    args: readonly unknown[],
  ) => Promise<Address>;
  readonly read: ReturnType<typeof chainOf>["readContract"];
  /** Prints a line below the present step. */
  readonly note: (text: string) => void;
  /** Moves the chain's clock to so many days before now, where that is in its future. */
  readonly travelTo: (daysAgo: number) => Promise<void>;
}

export type DemoStack = Pick<Stack, "accounts" | "deployment" | "urls">;

type WriteName<A extends Abi> = ContractFunctionName<A, "nonpayable" | "payable">;

const chainOf = (rpcUrl: string) =>
  createTestClient({
    chain: hardhat,
    mode: "hardhat",
    transport: http(rpcUrl),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions);

export function createWorld({
  stack,
  endpoints,
  note,
}: Pick<World, "stack" | "endpoints" | "note">): World {
  const chain = chainOf(stack.urls.rpc);
  const agents = new Map<AgentName, LivingAgent>();

  return {
    stack,
    endpoints,
    note,
    client: createClient({ service: stack.urls.api, deployment: stack.deployment }),

    person(name) {
      const user = stack.accounts.users[PEOPLE[name]];
      if (!user) throw new Error(`The stack has no account for ${name}.`);
      return privateKeyToAccount(user.privateKey);
    },

    agent(name) {
      const agent = agents.get(name);
      if (!agent) throw new Error(`The agent ${name} is not registered yet.`);
      return agent;
    },

    join(name, agent) {
      agents.set(name, agent);
    },

    async send(account, call) {
      const hash: Hex = await chain.writeContract({ ...call, account } as never);
      const receipt = await chain.waitForTransactionReceipt({ hash });
      if (receipt.status !== "success") throw new Error(`${call.functionName} reverted.`);
      return receipt;
    },

    async deploy(account, { abi, bytecode }, args) {
      const hash = await chain.deployContract({ abi, bytecode, args, account });
      const { contractAddress } = await chain.waitForTransactionReceipt({ hash });
      if (!contractAddress) throw new Error("The contract was not deployed.");
      return contractAddress;
    },

    read: chain.readContract,

    async travelTo(daysAgo) {
      const { timestamp } = await chain.getBlock();
      const target = BigInt(Math.floor(Date.now() / 1_000) - daysAgo * 86_400);
      if (target <= timestamp) return;
      await chain.setNextBlockTimestamp({ timestamp: target });
      await chain.mine({ blocks: 1 });
    },
  };
}
