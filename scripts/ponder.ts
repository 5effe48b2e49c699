// Ponder's program. In the build it has the indexer's code, see service/indexer-code.ts.
import "../node_modules/ponder/dist/esm/bin/ponder.js";
