import type { SignedCheck } from "../../api/features/endpoint-checks/checks.ts";
import type { CheckedEndpoint, EndpointState } from "../../protocol/endpoints/index.ts";
import { Badge, DateTime, type Tone } from "../ui/components.tsx";

/** How a state is shown, from the worst to the best. */
export const STATE_WORDS: Readonly<
  Record<EndpointState, { readonly tone: Tone; readonly label: string }>
> = {
  silent: { tone: "bad", label: "silent" },
  domain_not_proven: { tone: "caution", label: "domain not proven" },
  answers: { tone: "good", label: "answers" },
  not_checked: { tone: "info", label: "not checked" },
};

export function StateBadge({ state }: { state: EndpointState }) {
  const { tone, label } = STATE_WORDS[state];
  return <Badge tone={tone}>{label}</Badge>;
}

/** What the last check said of one service of a registration file; null where it did not look. */
export function checkedService(
  check: SignedCheck | null,
  service: { readonly name: string; readonly endpoint: string },
): CheckedEndpoint | null {
  return (
    check?.endpoints.find(
      ({ service: name, endpoint, kind }) =>
        kind !== null && name === service.name && endpoint === service.endpoint,
    ) ?? null
  );
}

/** When endpoints were checked, with the way to everything that was found. */
export function CheckedWhen({
  agentName,
  check,
}: {
  agentName: string;
  check: SignedCheck | null;
}) {
  return (
    <p class="muted">
      {check === null ? (
        "As its owner wrote them into the registration file. They have not been checked yet: "
      ) : (
        <>
          As its owner wrote them into the registration file. Checked on{" "}
          <DateTime at={check.checkedAt} />:{" "}
        </>
      )}
      <a href={`/endpoints/${agentName}`}>what was found, and the grade</a>.
    </p>
  );
}
