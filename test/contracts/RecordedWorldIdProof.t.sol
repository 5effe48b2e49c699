// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HumanVerifierRegistryBase} from "./HumanVerifierRegistry.t.sol";
import {IHumanVerifierRegistry} from "../../contracts/interfaces/IHumanVerifierRegistry.sol";
import {IWorldIdRouter} from "../../contracts/verifiers/IWorldIdRouter.sol";
import {WorldIdHashes} from "../../contracts/verifiers/WorldIdHashes.sol";
import {WorldIdVerifier} from "../../contracts/verifiers/WorldIdVerifier.sol";

/// @dev A router that checks zero-knowledge proofs as World ID does: Groth16 over BN254, with the
/// published verifying key of its Semaphore circuit of depth 30. It takes any root.
///
/// A recorded proof is about the action and the signal that were current then. {recordAs} makes the
/// router replace one public input by the recorded one; every other input is checked as it comes.
contract Groth16Router is IWorldIdRouter {
    uint256 private constant BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583;

    mapping(uint256 given => uint256 recorded) private _recorded;

    error InvalidProof();

    function recordAs(uint256 given, uint256 recorded) external {
        _recorded[given] = recorded;
    }

    function routeFor(uint256) external view returns (address) {
        return address(this);
    }

    function verifyProof(
        uint256 root,
        uint256 groupId,
        uint256 signalHash,
        uint256 nullifierHash,
        uint256 externalNullifierHash,
        uint256[8] calldata proof
    ) external view {
        uint256[4] memory inputs = [root, nullifierHash, recorded(signalHash), recorded(externalNullifierHash)];
        if (groupId != 1 || !holds(inputs, proof)) revert InvalidProof();
    }

    function recorded(uint256 given) private view returns (uint256) {
        uint256 replacement = _recorded[given];
        return replacement == 0 ? given : replacement;
    }

    /// @dev e(-A, B) * e(alpha, beta) * e(inputs, gamma) * e(C, delta) = 1. Points of the second
    /// group have their imaginary parts first.
    function holds(uint256[4] memory inputs, uint256[8] calldata proof) private view returns (bool) {
        uint256[2] memory sum = sumOf(inputs);
        uint256[24] memory points = [
            proof[0],
            BASE_FIELD - (proof[1] % BASE_FIELD),
            proof[2],
            proof[3],
            proof[4],
            proof[5],
            20491192805390485299153009773594534940189261866228447918068658471970481763042,
            9383485363053290200918347156157836566562967994039712273449902621266178545958,
            4252822878758300859123897981450591353533073413197771768651442665752259397132,
            6375614351688725206403948262868962793625744043794305715222011528459656738731,
            21847035105528745403288232691147584728191162732299865338377159692350059136679,
            10505242626370262277552901082094356697409835680220590971873171140371331206856,
            sum[0],
            sum[1],
            11559732032986387107991004021392285783925812861821192530917403151452391805634,
            10857046999023057135944570762232829481370756359578518086990519993285655852781,
            4082367875863433681332203403145435568316851327593401208105741076214120093531,
            8495653923123431417604973247489272438418190587263600148770280649306958101930,
            proof[6],
            proof[7],
            10202326166286888893675634318107715186834588694714750762952081034135561546271,
            15028154694713144242204861571552635520290993855826554325002991692907421516918,
            18486039841380105976272577521609866666900576498507352937328726490052296469859,
            12766289885372833812620582632847872978085960777075662988932200910695848591357
        ];
        (bool answered, bytes memory answer) = address(8).staticcall(abi.encode(points));
        return answered && abi.decode(answer, (uint256)) == 1;
    }

    /// @dev The constant point plus each input's point times the input.
    function sumOf(uint256[4] memory inputs) private view returns (uint256[2] memory sum) {
        uint256[10] memory points = [
            1452272927738590248356371174422184656932731110936062990115610832462181634644,
            3608050114233210789542189629343107890943266759827387991788718454179833288695,
            14798240452388909327945424685903532333765637883272751382037716636327236955001,
            10773894897711848209682368488916121016695006898681985691467605219098835500201,
            17204267933132009093604099819536245144503489322639121825381131096467570698650,
            7704298975420304156332734115679983371345754866278811368869074990486717531131,
            8060465662017324080560848316478407038163145149983639907596180500095598669247,
            20475082166427284188002500222093571716651248980245637602667562336751029856573,
            7457566682692308112726332096733260585025339741083447785327706250123165087868,
            11904519443874922292602150685069370036383697877657723976244907400392778002614
        ];
        sum = [points[0], points[1]];
        for (uint256 i = 0; i < 4; ++i) {
            uint256[2] memory product = point(7, abi.encode(points[2 * i + 2], points[2 * i + 3], inputs[i]));
            sum = point(6, abi.encode(sum, product));
        }
    }

    function point(uint160 precompile, bytes memory input) private view returns (uint256[2] memory) {
        (bool answered, bytes memory answer) = address(precompile).staticcall(input);
        if (!answered) revert InvalidProof();
        return abi.decode(answer, (uint256[2]));
    }
}

/// @dev A proof that World ID's simulator made for the action "test" of a staging application, with
/// an account as its signal, as published by an integrator. The adapter's own actions are 66
/// characters and its signals 32 bytes, so no recorded proof can be about them: the router takes
/// the recorded hashes for the adapter's in the tests that need a proof to hold.
contract RecordedWorldIdProofTest is HumanVerifierRegistryBase {
    string internal constant APP_ID = "app_staging_51c06a1df3fa4b5f004db3fb8dfe6569";
    string internal constant ACTION = "test";
    address internal constant SIGNAL = 0x11118B057bC0F7cBCF85f1e4d6B61CD5fFB22773;
    uint256 internal constant ROOT = 0x0870b6bd9b7690a5ee576e3487d84665e7d254faf73094c39b2e557b8ac5f401;
    uint256 internal constant NULLIFIER_HASH = 0x2ad8af493d0f3beb92ff57531a6b79dc1d571d0f55531462cd6c9f801ceb468f;

    Groth16Router internal router;
    WorldIdVerifier internal worldId;

    function setUp() public override {
        super.setUp();
        router = new Groth16Router();
        worldId = WorldIdVerifier(deploy("WorldIdVerifier", abi.encode(router, APP_ID)));
    }

    function numbers() internal pure returns (uint256[8] memory) {
        return
            [
                1543880139493224957816207891725465825182729406773514166885280037017171102242,
                5280689801289164915180263683531130927183241732527955062444950466768271534403,
                2600497068749577447370248703354997785803723639016664269575599611738407427536,
                2057280095321131360088483692185513849331505435146936498963626374582272063707,
                6141412590122529520374159229236804634776052606087832972981891244737190828594,
                16038981563753225357354186391651788766802138626848311505106935532464592117759,
                12803538545904148534406555076383420651730211210735164401881558845609717115768,
                4112185923621838055502715055608932524805007502600993063674226442813498624
            ];
    }

    function recordedSignalHash() internal pure returns (uint256) {
        return WorldIdHashes.toField(abi.encodePacked(SIGNAL));
    }

    function recordedExternalNullifier() internal pure returns (uint256) {
        return WorldIdHashes.externalNullifier(WorldIdHashes.toField(bytes(APP_ID)), ACTION);
    }

    /// @dev From here on the recorded proof is about this action and this signal of the adapter.
    function takeForRecorded() internal {
        router.recordAs(worldId.signalHash(signal), recordedSignalHash());
        router.recordAs(worldId.externalNullifier(action), recordedExternalNullifier());
    }

    function recordedProof() internal pure returns (bytes memory) {
        return abi.encode(ROOT, NULLIFIER_HASH, numbers());
    }

    function test_theHashesMakeThePublicInputsOfTheRecordedProof() public view {
        router.verifyProof(ROOT, 1, recordedSignalHash(), NULLIFIER_HASH, recordedExternalNullifier(), numbers());
    }

    function test_refusesTheRecordedProofForAnyOtherPublicInput() public {
        uint256[4] memory inputs = [ROOT, recordedSignalHash(), NULLIFIER_HASH, recordedExternalNullifier()];
        for (uint256 i = 0; i < 4; ++i) {
            uint256[4] memory changed = [inputs[0], inputs[1], inputs[2], inputs[3]];
            changed[i] += 1;
            vm.expectRevert(abi.encodeWithSelector(Groth16Router.InvalidProof.selector));
            router.verifyProof(changed[0], 1, changed[1], changed[2], changed[3], numbers());
        }
    }

    function test_theAdapterHandsTheRecordedProofOnUnchanged() public {
        takeForRecorded();
        assertEq(worldId.verify(action, signal, recordedProof()), bytes32(NULLIFIER_HASH));
    }

    function test_theAdapterRefusesTheRecordedProofForItsOwnActionAndSignal() public {
        vm.expectRevert(abi.encodeWithSelector(Groth16Router.InvalidProof.selector));
        worldId.verify(action, signal, recordedProof());
    }

    function test_theAdapterRefusesTheRecordedProofForAnotherActionOrSignal() public {
        takeForRecorded();
        vm.expectRevert(abi.encodeWithSelector(Groth16Router.InvalidProof.selector));
        worldId.verify(keccak256("other"), signal, recordedProof());
        vm.expectRevert(abi.encodeWithSelector(Groth16Router.InvalidProof.selector));
        worldId.verify(action, keccak256("other"), recordedProof());
    }

    function test_theAdapterRefusesAnyChangeOfTheRecordedProof() public {
        takeForRecorded();
        bytes memory data = recordedProof();
        for (uint256 word = 0; word < 10; ++word) {
            bytes memory changed = bytes.concat(data);
            uint256 last = 32 * word + 31;
            changed[last] = bytes1(uint8(changed[last]) ^ 1);
            vm.expectRevert(abi.encodeWithSelector(Groth16Router.InvalidProof.selector));
            worldId.verify(action, signal, changed);
        }
    }

    function test_theRegistryTakesTheRecordedProofOnce() public {
        approve(address(worldId));
        takeForRecorded();
        vm.prank(souls);
        assertEq(registry.consume(address(worldId), action, signal, recordedProof()), bytes32(NULLIFIER_HASH));
        vm.expectRevert(
            abi.encodeWithSelector(
                IHumanVerifierRegistry.NullifierAlreadyUsed.selector,
                souls,
                address(worldId),
                bytes32(NULLIFIER_HASH)
            )
        );
        vm.prank(souls);
        registry.consume(address(worldId), action, signal, recordedProof());
    }
}
