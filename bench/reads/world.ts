import { registerAgents } from "../lib/agents.ts";
import { startServers } from "../lib/servers.ts";
import { connectWrites } from "./writes.ts";

export type World = Awaited<ReturnType<typeof createWorld>>;

/** The whole service with so many sealed agents of an organization, and a bare server beside it. */
export async function createWorld(count: number, profileDirectory: string | undefined) {
  const servers = await startServers("reads", { profileDirectory });
  const { stack, ours, ponder, shared } = servers;
  const writes = await connectWrites(stack.urls.database).catch(async (error: unknown) => {
    await servers.close();
    throw error;
  });
  const close = async () => {
    await writes.close();
    await servers.close();
  };
  try {
    const { agents } = await registerAgents(servers, count);
    await writes.calm();
    return {
      agents,
      writes,
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
