import { runIndexer } from "../processes/indexer.ts";

// The indexer of the local stack, as `npm run indexer` runs it: indexer-process.ts [Ponder's program].
const [program] = process.argv.slice(2);
process.exit(
  await runIndexer(process.env, (text) => process.stderr.write(text), program || undefined),
);
