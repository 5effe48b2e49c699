import type { HookContext, NetworkHooks } from "hardhat/types/hooks";
import type { ChainType, NetworkConnection } from "hardhat/types/network";
import type { JsonRpcRequest, JsonRpcResponse } from "hardhat/types/providers";

/** Asking for a subscription's changes renews it for five minutes. Several renewals may be late before one is missed. */
const RENEWAL_MS = 60_000;

/** Default export: the shape Hardhat loads hook handlers in. */
export default async (): Promise<Partial<NetworkHooks>> => {
  const renewals = new WeakMap<object, Map<string, NodeJS.Timeout>>();

  return {
    async onRequest<ChainTypeT extends ChainType | string>(
      context: HookContext,
      connection: NetworkConnection<ChainTypeT>,
      request: JsonRpcRequest,
      next: (
        nextContext: HookContext,
        nextConnection: NetworkConnection<ChainTypeT>,
        nextRequest: JsonRpcRequest,
      ) => Promise<JsonRpcResponse>,
    ): Promise<JsonRpcResponse> {
      const response = await next(context, connection, request);
      if (request.method !== "eth_subscribe" && request.method !== "eth_unsubscribe") {
        return response;
      }

      const timers = renewals.get(connection) ?? new Map<string, NodeJS.Timeout>();
      renewals.set(connection, timers);
      const end = (id: string) => {
        clearInterval(timers.get(id));
        timers.delete(id);
      };

      if (request.method === "eth_unsubscribe") {
        const [id] = Array.isArray(request.params) ? request.params : [];
        end(String(id));
      } else if ("result" in response && typeof response.result === "string") {
        const id = response.result;
        const renew = () =>
          connection.provider
            .request({ method: "eth_getFilterChanges", params: [id] })
            // The node no longer knows the subscription, or has stopped.
            .catch(() => end(id));
        timers.set(id, setInterval(renew, RENEWAL_MS).unref());
      }
      return response;
    },
  };
};
