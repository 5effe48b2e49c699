import { LOCAL_REGISTRIES, type Registries } from "../../scripts/deploy/protocol.ts";
import { PROXIED_REGISTRIES } from "../../test/fixtures/proxied-registries.ts";
import { comparisonTable, publish } from "../lib/report.ts";
import { compareAllowance } from "./allowance.ts";
import { compareBatch } from "./batch.ts";
import { compareChronicles } from "./chronicles.ts";
import { profiles } from "./profile.ts";
import { compareRegistration } from "./registration.ts";
import { createWorld } from "./world.ts";

const HELP = `Usage: npm --prefix bench run gas [-- --profile]

Measures our contracts and their peers on one local chain, prints a table and writes it into bench/README.md. An aim that is
missed is reported, not an error.

  --profile  Print only where the gas of a registration and of the largest batch goes: by kind of instruction and by
             contract, with the identity registry behind a proxy
  --help     Show this
`;

if (process.argv.includes("--help")) {
  process.stdout.write(HELP);
} else if (process.argv.includes("--profile")) {
  const world = await createWorld(PROXIED_REGISTRIES);
  console.log(await profiles(world));
  await world.close();
} else {
  const plain = await measure(LOCAL_REGISTRIES);
  const proxied = await measure(PROXIED_REGISTRIES);
  const section = [
    plain,
    "The same with the identity registry behind a proxy, as the official one is:",
    proxied,
  ].join("\n\n");
  publish("gas", section, false);
}

/** The measurements over one identity registry, as a table with notes. */
async function measure(registries: Registries): Promise<string> {
  const world = await createWorld(registries);
  // The order matters: each registration predicts ids from those before it.
  const registration = await compareRegistration(world);
  const allowance = await compareAllowance(world, { passportId: 6n, tokenId: 4n });
  const chronicles = await compareChronicles(world);
  const batch = await compareBatch(world);
  await world.close();

  const table = comparisonTable([...registration.comparisons, ...chronicles, ...allowance, batch]);
  return [table, ...registration.notes].join("\n\n");
}
