import { TYPED_DATA_ERRORS } from "../../operations/schemas.ts";
import { typedDataRoute } from "../../operations/typed-data/typed-data.routes.ts";
import { PrepareStopSchema } from "./schemas.ts";
import type { EmergencyStops } from "./stop.ts";

export const prepareEmergencyStop = typedDataRoute({
  path: "emergency-stop",
  operationId: "prepareEmergencyStop",
  tag: "API keys",
  summary: "The EIP-712 data that an owner signs to stop an agent",
  description:
    "`DeactivateAllowance` of the allowance vault while the agent has an allowance, with a nonce that marks a stop. Else `EmergencyStop`, which no contract accepts. Nothing is stored.",
  body: PrepareStopSchema,
  errors: [...TYPED_DATA_ERRORS, "FORBIDDEN"],
  prepare: ({ tokenId }, { emergencyStops }: { readonly emergencyStops: EmergencyStops }) =>
    emergencyStops.prepare(tokenId),
});
