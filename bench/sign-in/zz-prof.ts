import { createWorld } from "./zz-world.ts";
import { ourVerifies, introspections } from "./verify.ts";
import { processorTime } from "./cpu.ts";
const world = await createWorld();
try {
  const go = async (what: string, prepare: (n: number) => Promise<any>, n: number, times: number) => {
    for (let i = 0; i < times; i++) {
      const shots = await prepare(n);
      const b = processorTime(world.ours.pid); const c = processorTime(world.pids.chain);
      const s = await world.ours.load.fire(shots);
      console.log(what, (n / s).toFixed(0), "/s, cpu", ((processorTime(world.ours.pid) - b) / n).toFixed(2), "chain", ((processorTime(world.pids.chain) - c) / n).toFixed(2));
    }
  };
  if (process.env.WHAT !== "introspect") await go("verify", (n) => ourVerifies(world as any, world.passports, 1, n), 400, 6);
  const shots = await introspections(world as any);
  if (process.env.WHAT !== "verify") await go("introspect", shots.ours, 3000, 6);
} finally { await world.close(); }
