import { startCommand } from "./local-stack/start-command.ts";

await startCommand();
