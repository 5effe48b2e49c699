// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CertificateImage} from "../libraries/CertificateImage.sol";

/// @dev Lets tests call {CertificateImage}.
contract CertificateImageHarness {
    function svg(CertificateImage.Face calldata face) external pure returns (string memory) {
        return CertificateImage.svg(face);
    }
}
