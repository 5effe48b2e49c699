import { registerAgents } from "../lib/agents.ts";
import { startServers } from "../lib/servers.ts";

export type World = Awaited<ReturnType<typeof createWorld>>;

/** The whole service with so many sealed agents of an organization, and a bare server beside it. */
export async function createWorld(count: number, profileDirectory: string | undefined) {
  const servers = await startServers("reads", { profileDirectory });
  const { stack, ours, ponder, shared, close } = servers;
  try {
    const { agents } = await registerAgents(servers, count);
    return {
      agents,
      ours,
      ponder,
      floor: await servers.start(new URL("./floor-server.ts", import.meta.url), {
        databaseUrl: stack.urls.database,
      }),
      shared,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
