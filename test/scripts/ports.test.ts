import { expect, it } from "vitest";
import { claimPorts, freePorts } from "../../scripts/local-stack/ports.ts";

it("gives free ports that a system gives to no connection and to no server that asks for any", async () => {
  const ports = await freePorts(50);
  expect(new Set(ports).size).toBe(50);
  const { chain, postgres, indexer, api } = await claimPorts({
    chain: 0,
    postgres: 0,
    indexer: 0,
    api: 0,
  });
  for (const port of [...ports, chain, postgres, indexer, api]) {
    expect(port).toBeGreaterThanOrEqual(11_000);
    expect(port).toBeLessThan(32_768);
  }
});
