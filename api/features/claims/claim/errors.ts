import { ApiError } from "../../../kernel/errors.ts";

export function gone(): ApiError {
  return new ApiError("GONE", {
    message: "This registration was not claimed in time. Register again.",
  });
}

export function alreadyClaimed(agentName: string): ApiError {
  return new ApiError("ALREADY_CLAIMED", { details: { agentName } });
}
