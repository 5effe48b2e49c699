import { helpText } from "./lib/usage.ts";
import { loadEnvFile } from "./processes/environment.ts";
import { helpAsked } from "./processes/help.ts";
import { runIndexer } from "./processes/indexer.ts";

if (!helpAsked(helpText("indexer"))) {
  loadEnvFile();
  // A node may still owe an answer.
  process.exit(await runIndexer(process.env, (text) => process.stderr.write(text)));
}
