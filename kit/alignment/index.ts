export type {
  AlignmentDeployment,
  AlignmentVerdict,
  VerifyAlignmentOptions,
} from "./verify.ts";
export { verifyAlignment } from "./verify.ts";
