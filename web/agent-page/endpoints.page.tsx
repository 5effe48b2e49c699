import type { SignedCheck } from "../../api/features/endpoint-checks/index.ts";
import type { AgentProfile } from "../../api/features/profile/index.ts";
import type { ReadRegistrationFile } from "../../protocol/index.ts";
import { CheckedWhen, checkedService, StateBadge } from "../endpoint-checks/states.page.tsx";
import {
  Card,
  DescriptionItem,
  DescriptionList,
  UntrustedLink,
  UntrustedText,
} from "../ui/components.tsx";

export function Endpoints({
  file,
  profile,
  check,
}: {
  file: ReadRegistrationFile | null;
  profile: AgentProfile;
  check: SignedCheck | null;
}) {
  const services = file?.services ?? [];
  const stateOf = (service: ReadRegistrationFile["services"][number]) => {
    const checked = checkedService(check, service);
    return checked === null ? null : <StateBadge state={checked.state} />;
  };
  return (
    <Card id="endpoints" title="Endpoints">
      {services.length === 0 ? (
        <p class="muted">
          {profile.erc8004Url === null
            ? "Its passport points to no file that can be shown."
            : "Its registration file names none, or could not be read here."}
        </p>
      ) : (
        <DescriptionList>
          {services.map((service) => {
            const { name, endpoint, version } = service;
            return (
              <DescriptionItem
                name={<UntrustedText text={version === null ? name : `${name} ${version}`} />}
              >
                <UntrustedLink url={endpoint} /> {stateOf(service)}
              </DescriptionItem>
            );
          })}
        </DescriptionList>
      )}
      {profile.tokenId === null || profile.genesisStatus === "BURNED" ? null : (
        <CheckedWhen agentName={profile.agentName} check={check} />
      )}
    </Card>
  );
}
