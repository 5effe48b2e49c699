import hre from "hardhat";
import {
  type Abi,
  type Address,
  type Hex,
  keccak256,
  parseEventLogs,
  stringToHex,
  type TransactionReceipt,
  zeroAddress,
} from "viem";
import { easContract, plainCertificate, schemaRegistryAbi } from "./peers.ts";

/** Later than any block of the run. */
export const DEADLINE = 4_000_000_000n;

/** A hash that differs for different texts and has no cheap zero bytes, as real ones. */
export const hashOf = (text: string): Hex => keccak256(stringToHex(text));

/** An archive id of 43 base64url characters, as permanent storage gives them. */
export const archiveIdOf = (text: string): string =>
  Buffer.from(hashOf(text).slice(2), "hex").toString("base64url");

export type World = Awaited<ReturnType<typeof createWorld>>;
export type Wallet = ReturnType<World["wallet"]>;

/** One local chain with the product and its peers on it. */
export async function createWorld() {
  const connection = await hre.network.create();
  const { viem } = connection;
  const client = await viem.getPublicClient();
  const wallets = await viem.getWalletClients();
  /** Each measurement has accounts of its own; the service is number 0. */
  const wallet = (index: number) => {
    const found = wallets[index];
    if (found === undefined) throw new Error("The chain has too few accounts.");
    return found;
  };
  const service = wallet(0);
  const role = service.account.address;

  const receiptOf = async (sending: Promise<Hex>): Promise<TransactionReceipt> => {
    const receipt = await client.waitForTransactionReceipt({ hash: await sending });
    if (receipt.status !== "success") throw new Error(`Reverted: ${receipt.transactionHash}`);
    return receipt;
  };
  const ours = async (name: string, args: readonly unknown[] = []): Promise<Address> =>
    (await viem.deployContract(name, [...args])).address;
  const theirs = async (
    compiled: { readonly abi: Abi; readonly bytecode: Hex },
    args: readonly unknown[] = [],
  ): Promise<Address> => {
    const { contractAddress } = await receiptOf(service.deployContract({ ...compiled, args }));
    if (!contractAddress) throw new Error("Nothing was deployed.");
    return contractAddress;
  };

  const identity = await ours("IdentityRegistry");
  const souls = await ours("SoulRegistry", [identity, zeroAddress, role, role]);
  const stablecoin = await ours("Stablecoin");
  const schemas = await theirs(easContract("SchemaRegistry"));
  // What the compiler is asked for is ours to say; how it compiles is the product's.
  const solidity = hre.config.solidity.profiles.default?.compilers[0];
  if (solidity === undefined) throw new Error("No compiler is configured.");
  const { outputSelection: _everything, ...settings } = solidity.settings;

  return {
    client,
    chainId: await client.getChainId(),
    wallet,
    service,
    at: {
      identity,
      souls,
      stablecoin,
      schemas,
      vault: await ours("AllowanceVault", [souls, stablecoin]),
      anchor: await ours("ChronicleAnchor", [role, role]),
      probe: await ours("GasProbe"),
      eas: await theirs(easContract("EAS"), [schemas]),
      plainCertificate: await theirs(plainCertificate(settings)),
    },
    receiptOf,
    /** Gas of a transaction as a whole. @throws Error when it reverts. */
    gasOf: async (sending: Promise<Hex>): Promise<number> =>
      Number((await receiptOf(sending)).gasUsed),
    close: () => connection.close(),
  };
}

/** Registers an EAS schema without resolver and returns its id. */
export async function easSchema(world: World, schema: string): Promise<Hex> {
  const { logs } = await world.receiptOf(
    world.service.writeContract({
      address: world.at.schemas,
      abi: schemaRegistryAbi,
      functionName: "register",
      args: [schema, zeroAddress, true],
    }),
  );
  const [log] = parseEventLogs({ abi: schemaRegistryAbi, eventName: "Registered", logs });
  if (log === undefined) throw new Error("No schema was registered.");
  return log.args.uid;
}
