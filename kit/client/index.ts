// A typed client of all operations of the service.

export { ApiError } from "./api-error.ts";
export type { Client, SigningClientOptions } from "./client.ts";
export { createClient } from "./client.ts";
export type { ClientOptions, FullAnswer, PageOptions } from "./create-client.ts";
export type { ClientErrorCode, ErrorCode } from "./error-codes.ts";
export type {
  Answer,
  CallInput,
  CallOptions,
  Entry,
  ListId,
  OperationId,
  ReadId,
  Schema,
  ServiceErrorCode,
} from "./operation-types.ts";
export type { SigningDeployment } from "./signing/deployment.ts";
export type {
  RegisteredAgent,
  RegisterInput,
  ResumeInput,
  SoulSource,
  Submission,
} from "./signing/register.ts";
export type { ReviewRequest, SignedId, SignInput } from "./signing/sign.ts";
export type { SignInInput, SignInToken } from "./signing/sign-in.ts";
export type { Signer } from "./signing/signer.ts";
export type { WaitOptions } from "./wait-for.ts";
