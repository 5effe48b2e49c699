import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { checkedLookup } from "./checked-lookup.ts";
import type { DeliveryOutcome, SendingOptions, SendPost, SignedDisclosure } from "./disclose.ts";
import { sendWith } from "./disclose.ts";

/**
 * Sends a disclosure once. The requester chose the endpoint, so only https to public addresses is
 * used, and no redirect is followed: values go to that URL alone.
 *
 * @throws ForbiddenEndpointError
 */
export function sendDisclosure(
  endpoint: string,
  signed: SignedDisclosure,
  options: SendingOptions = {},
): Promise<DeliveryOutcome> {
  return sendWith(checkedPost, endpoint, signed, options);
}

/** Resolves to the status. What the requester answers beside it is not read. */
const checkedPost: SendPost = (url, { body, headers, signal }) => {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "POST", headers, signal, agent: false, lookup: checkedLookup(url.protocol) },
      (answer) => {
        // Ending the connection is not a failure of the delivery.
        answer.on("error", () => {});
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
};
