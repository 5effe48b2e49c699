import {
  type Address,
  concat,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  slice,
  stringToHex,
} from "viem";

/** CreateX, a factory that has this address and this code on most chains. */
export const CREATE_X = "0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed";
export const CREATE_X_CODE_HASH =
  "0xbd8a7ea8cfca7b4e5f5041d7d4b17bc317c5ce42cfbc42066a00cf26b43eb53f";

export const createXAbi = parseAbi([
  "function deployCreate3(bytes32 salt, bytes initCode) payable returns (address newContract)",
  "error FailedContractCreation(address emitter)",
]);

/** What CreateX creates first: it creates what it is called with, once, at an address that follows from its own. */
const PROXY_CODE = "0x67363d3d37363d34f03d5260086018f3";

/** Part of every salt. Other contracts under the same names are a later edition, at other addresses. */
const EDITION = 1;

/**
 * CreateX accepts a salt that begins with an address from that address alone. The zero byte after it
 * keeps the chain's id out of the contract's address.
 */
export function saltOf(deployer: Address, key: string): Hex {
  const name = keccak256(stringToHex(`agent-identity-protocol edition ${EDITION} ${key}`));
  return concat([deployer, "0x00", slice(name, 0, 11)]);
}

/** Where this deployer's contract of this name is, or will be, on every chain. */
export function addressOf(deployer: Address, key: string): Address {
  const salt = keccak256(concat([pad(deployer), saltOf(deployer, key)]));
  const proxy = getContractAddress({
    opcode: "CREATE2",
    from: CREATE_X,
    salt,
    bytecode: PROXY_CODE,
  });
  return getContractAddress({ from: proxy, nonce: 1n });
}
