import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import { OutboundError } from "../../platform/outbound/ports.ts";
import type { DeliverPackage } from "./uploads.ts";

/**
 * Sends packages to the endpoints that the operator registered for regulators: one try, from
 * memory, without following a redirect. Neither the package nor the URL is logged.
 */
export function createPackageDelivery({
  http,
  endpoints,
  log,
}: {
  readonly http: Pick<OutboundHttp, "request">;
  /** By the regulator's DID. */
  readonly endpoints: ReadonlyMap<string, string>;
  readonly log: { warn(details: object, message: string): void };
}): DeliverPackage {
  return async (regulatoryDid, auditPackage) => {
    const url = endpoints.get(regulatoryDid);
    if (url === undefined) return null;
    const { auditId } = auditPackage;
    try {
      const { status } = await http.request({
        method: "POST",
        url,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(auditPackage),
        maxResponseBytes: 0,
      });
      if (status >= 200 && status < 300) return new URL(url).origin;
      log.warn({ auditId, status }, "a regulator's endpoint refused a package");
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      log.warn({ auditId, reason: error.reason }, "a package could not be delivered");
    }
    return null;
  };
}
