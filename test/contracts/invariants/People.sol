// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC7739Utils} from "@openzeppelin/contracts/utils/cryptography/draft-ERC7739Utils.sol";
import {ERC7739Wallet} from "../../../contracts/mocks/ERC7739Wallet.sol";
import {SoulLifeBase} from "../SoulLifeBase.sol";
import {RefusingCode} from "../SoulsDouble.sol";

/// @dev Who acts: a key, another, two wallets of the first key, a key whose account carries code,
/// one more key, and a wallet of the first key that signs by ERC-7739.
abstract contract People is SoulLifeBase {
    uint256 public constant PEOPLE = 7;

    address[7] public people;
    ERC7739Wallet internal nested;
    mapping(address person => uint256 key) private keys;
    mapping(address verifier => bytes32) internal separators;

    function gather() internal {
        uint256[7] memory all = [uint256(0xA11), 0xB22, 0xA11, 0xA11, 0xC33, 0xD44, 0xA11];
        for (uint256 i = 0; i < PEOPLE; ++i) {
            bool isWallet = i == 2 || i == 3;
            people[i] = isWallet ? deploy("ERC1271Wallet", abi.encode(vm.addr(all[i]))) : vm.addr(all[i]);
        }
        vm.etch(people[4], address(new RefusingCode()).code);
        nested = ERC7739Wallet(deploy("ERC7739Wallet", abi.encode(people[0])));
        people[6] = address(nested);
        for (uint256 i = 0; i < PEOPLE; ++i) keys[people[i]] = all[i];
    }

    /// @dev Names the domain in which people sign for a contract.
    function listenTo(address verifier, string memory domain, string memory version) internal {
        separators[verifier] = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(domain)),
                keccak256(bytes(version)),
                block.chainid,
                verifier
            )
        );
    }

    function digestAt(address verifier, bytes32 structHash) internal view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", separators[verifier], structHash));
    }

    /// @dev `contents` is the type of what is signed. The nested wallet signs three times of four knowing
    /// what it signs.
    function signatureOf(
        address person,
        address verifier,
        string memory contents,
        bytes32 structHash
    ) internal view returns (bytes memory) {
        bytes32 digest = digestAt(verifier, structHash);
        if (person != address(nested)) return sign(keyOf(person), digest);
        if (isPersonal(digest)) return sign(keyOf(person), nested.personalDigest(digest));

        bytes32 separator = separators[verifier];
        bytes memory signature = sign(keyOf(person), nested.typedDataDigest(separator, structHash, contents));
        return ERC7739Utils.encodeTypedDataSig(signature, separator, structHash, contents);
    }

    function isPersonal(bytes32 digest) internal pure returns (bool) {
        return uint256(digest) % 4 == 0;
    }

    function keyOf(address person) internal view returns (uint256) {
        return isPerson(person) ? keys[person] : STRANGER_KEY;
    }

    function isPerson(address account) internal view returns (bool) {
        return keys[account] != 0;
    }

    /// @dev Whether a signature of `signer` is one of `account` too: a key's, for plain wallets of
    /// the key.
    function signsFor(address signer, address account) internal view returns (bool) {
        if (signer == account) return true;
        return signer != address(nested) && account != address(nested) && keyOf(signer) == keyOf(account);
    }
}
