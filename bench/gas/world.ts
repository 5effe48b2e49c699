import hre from "hardhat";
import {
  type Abi,
  type Address,
  custom,
  type Hex,
  keccak256,
  parseEventLogs,
  stringToHex,
  type TransactionReceipt,
  zeroAddress,
} from "viem";
import { deployContracts } from "../../scripts/deploy/deploy.ts";
import { type Registries, SOUL_REGISTRY } from "../../scripts/deploy/protocol.ts";
import { easContract, plainCertificate, schemaRegistryAbi } from "./peers.ts";

/** Later than any block of the run. */
export const DEADLINE = 4_000_000_000n;

/** A hash that differs for different texts and has no cheap zero bytes. */
export const hashOf = (text: string): Hex => keccak256(stringToHex(text));

export type World = Awaited<ReturnType<typeof createWorld>>;
export type Wallet = ReturnType<World["wallet"]>;

/** One local chain with the product over these registries, and its peers. */
export async function createWorld(registries: Registries) {
  const connection = await hre.network.create();
  const { viem, provider } = connection;
  const client = await viem.getPublicClient();
  const wallets = await viem.getWalletClients();
  /** Each measurement uses its own accounts; the service is number 0. */
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

  const deployed = await deployContracts({
    transport: custom(provider),
    contracts: { ...registries, ...SOUL_REGISTRY },
    parameters: { $global: { admin: role, registrar: role } },
  });
  const { identityRegistry: identity, soulRegistry: souls } = deployed;
  const stablecoin = await ours("Stablecoin");
  const schemas = await theirs(easContract("SchemaRegistry"));
  // The outputs are chosen here; version and settings are the product's.
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
      organizations: deployed.organizationRegistry,
      stablecoin,
      schemas,
      vault: await ours("AllowanceVault", [souls, stablecoin]),
      anchor: await ours("ChronicleAnchor", [role, role, 0]),
      probe: await ours("GasProbe"),
      eas: await theirs(easContract("EAS"), [schemas]),
      plainCertificate: await theirs(plainCertificate(settings)),
    },
    receiptOf,
    /** What the node's debugger says about a mined transaction. */
    trace: async <Answer>(hash: Hex, options: object): Promise<Answer> =>
      (await connection.provider.request({
        method: "debug_traceTransaction",
        params: [hash, options],
      })) as Answer,
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
