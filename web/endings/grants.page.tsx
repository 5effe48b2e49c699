import type { EndedGrants } from "../../api/features/endings/ended-grants.ts";
import { Code, DescriptionItem, DescriptionList } from "../ui/components.tsx";

/** What was granted in an epoch, each with its number or name. */
export function GrantsList({ grants }: { grants: EndedGrants }) {
  const { operator, organizationId, bindings } = grants;
  return (
    <DescriptionList>
      <DescriptionItem name="API keys">{grants.apiKeys || "none"}</DescriptionItem>
      <DescriptionItem name="Webhooks">{grants.webhooks || "none"}</DescriptionItem>
      <DescriptionItem name="Operator">
        {operator === null ? "none: its owner acts for it" : <Code>{operator}</Code>}
      </DescriptionItem>
      <DescriptionItem name="Allowance">
        {grants.allowance ? "it may pay from its owner's wallet" : "none"}
      </DescriptionItem>
      <DescriptionItem name="Organization">
        {organizationId === null ? (
          "none"
        ) : (
          <a href={`/organizations/${organizationId}`}>Organization {organizationId}</a>
        )}
      </DescriptionItem>
      <DescriptionItem name="Bindings">
        {bindings.outbound} that it made, {bindings.inbound} that others made with it
      </DescriptionItem>
      <DescriptionItem name="Public keys">{grants.agentKeys ? "set" : "none"}</DescriptionItem>
      <DescriptionItem name="Addresses in the DID document">
        {grants.didAddresses ? "listed" : "none"}
      </DescriptionItem>
    </DescriptionList>
  );
}
