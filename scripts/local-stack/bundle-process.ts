import { join } from "node:path";
import { buildService } from "../service/build.ts";
import { compileWhole } from "../service/compile.ts";
import { linkPackages } from "../service/packages.ts";
import { CLUSTER, makeBundle, runOnce } from "./bundle/bundle.ts";
import { writeCluster } from "./bundle/cluster.ts";

// Makes the bundle that the next start of the local stack runs: bundle-process.ts <data> <programs>
// of the PostgreSQL of the stack that runs. It ends by itself.
const [data, programs] = process.argv.slice(2);
if (!data || !programs) throw new Error("Usage: bundle-process.ts <data> <programs>");

await makeBundle(async (folder) => {
  const service = join(folder, "service");
  const inputs = [
    ...(await buildService(service)),
    ...(await compileWhole({
      entries: [
        "scripts/local-stack/chain-process.ts",
        "scripts/local-stack/postgres-process.ts",
        "scripts/local-stack/start-command.ts",
      ],
      out: join(folder, "tools"),
    })),
    ...(await writeCluster({ data, programs }, join(folder, CLUSTER))),
  ];
  linkPackages(service);
  await runOnce(folder);
  return inputs;
});
