import { join, relative, resolve } from "node:path";
import { PONDER_PROGRAM } from "../lib/indexer-command.ts";
import { buildService, LOADED_BY_ADDRESS } from "../service/build.ts";
import { CLUSTER, makeBundle, runOnce } from "./bundle/bundle.ts";
import { writeCluster } from "./bundle/cluster.ts";
import { compileWhole } from "./bundle/compile.ts";
import { indexerCode } from "./bundle/indexer-code.ts";

const ROOT = resolve(import.meta.dirname, "../..");

// Makes the bundle that the next start of the local stack runs: bundle-process.ts <data> <programs>
// of the PostgreSQL of the stack that runs. It ends by itself.
const [data, programs] = process.argv.slice(2);
if (!data || !programs) throw new Error("Usage: bundle-process.ts <data> <programs>");

await makeBundle(async (folder) => {
  const inputs: string[] = [];
  await buildService(join(folder, "service"), async (_entries, out) => {
    inputs.push(
      ...(await compileWhole({
        entries: ["api/server.ts", ...LOADED_BY_ADDRESS],
        out,
        // The service finds its data and its worker beside the compiled files.
        placeOf: (path) => join(out, relative(ROOT, path)).replace(/\.tsx?$/, ".js"),
      })),
    );
  });
  inputs.push(
    ...(await compileWhole({
      entries: [
        "scripts/local-stack/chain-process.ts",
        "scripts/local-stack/indexer-process.ts",
        "scripts/local-stack/postgres-process.ts",
        "scripts/local-stack/start-command.ts",
        PONDER_PROGRAM,
      ],
      out: join(folder, "tools"),
      plugins: [await indexerCode()],
    })),
  );
  inputs.push(...(await writeCluster({ data, programs }, join(folder, CLUSTER))));
  await runOnce(folder);
  return inputs;
});
