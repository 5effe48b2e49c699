import { helpText } from "./lib/usage.ts";
import { runService } from "./processes/service.ts";

await runService("api", helpText("api"));
