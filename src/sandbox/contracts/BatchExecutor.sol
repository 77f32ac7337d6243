// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IERC1271} from '@openzeppelin/contracts/interfaces/IERC1271.sol';
import {IERC5267} from '@openzeppelin/contracts/interfaces/IERC5267.sol';
import {ECDSA} from '@openzeppelin/contracts/utils/cryptography/ECDSA.sol';

struct Call {
  address to;
  uint256 value;
  bytes data;
}

struct BatchedCall {
  Call[] calls;
  bool revertOnFailure;
}

struct SignedBatchedCall {
  BatchedCall batchedCall;
  uint256 nonce;
  bytes32 keyHash;
  address executor;
  uint256 deadline;
}

/// @notice EIP-7702 delegate: executes batches of calls signed by the account's own key, for any submitter. Implements
/// the documented interface, typed data and errors of Calibur, without additional keys, hooks and ERC-4337. Storage
/// belongs to the delegating account and therefore starts at the slot of the ERC-7201 namespace `ferry.BatchExecutor`.
contract BatchExecutor is IERC1271, IERC5267 layout at 0x83823c97fe2d2ed2c52a4610d3266176a5d440380f0c717f69751c423d4b9200 {
  /// @dev This contract's own address. Its code is written there directly, so no constructor can set it as an
  /// immutable.
  address private constant IMPLEMENTATION = 0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00;

  string private constant NAME = 'Calibur';
  string private constant VERSION = '1.0.0';

  bytes32 private constant DOMAIN_TYPEHASH =
    keccak256('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)');
  bytes32 private constant CALL_TYPEHASH = keccak256('Call(address to,uint256 value,bytes data)');
  bytes32 private constant BATCHED_CALL_TYPEHASH =
    keccak256('BatchedCall(Call[] calls,bool revertOnFailure)Call(address to,uint256 value,bytes data)');
  bytes32 private constant SIGNED_BATCHED_CALL_TYPEHASH =
    keccak256(
      'SignedBatchedCall(BatchedCall batchedCall,uint256 nonce,bytes32 keyHash,address executor,uint256 deadline)BatchedCall(Call[] calls,bool revertOnFailure)Call(address to,uint256 value,bytes data)'
    );

  /// @notice The next sequence number of each nonce key.
  mapping(uint256 key => uint256 seq) public getSeq;

  event BatchExecuted(uint256 indexed nonce, address indexed executor);

  error Unauthorized();
  error SignatureExpired();
  error InvalidNonce();
  error KeyDoesNotExist();
  error InvalidSignature();
  error CallFailed(bytes reason);

  receive() external payable {}

  /// @notice Executes a batch signed by the account, once. The wrapped signature is the ABI encoding of the signature
  /// and of hook data, which is ignored. A zero executor allows any sender, a zero deadline never expires.
  function execute(SignedBatchedCall calldata signedBatchedCall, bytes calldata wrappedSignature) external payable {
    uint256 nonce = signedBatchedCall.nonce;
    uint256 deadline = signedBatchedCall.deadline;
    address executor = signedBatchedCall.executor;
    if (executor != address(0) && executor != msg.sender) revert Unauthorized();
    if (deadline != 0 && block.timestamp > deadline) revert SignatureExpired();
    _useNonce(nonce);
    if (signedBatchedCall.keyHash != 0) revert KeyDoesNotExist();
    (bytes memory signature, ) = abi.decode(wrappedSignature, (bytes, bytes));
    if (!_isOwn(_hashTypedData(_hash(signedBatchedCall)), signature)) revert InvalidSignature();
    emit BatchExecuted(nonce, msg.sender);
    _execute(signedBatchedCall.batchedCall);
  }

  /// @notice Executes a batch sent by the account itself, which needs no signature.
  function execute(BatchedCall calldata batchedCall) external payable {
    if (msg.sender != address(this)) revert Unauthorized();
    _execute(batchedCall);
  }

  /// @notice ERC-1271: keeps plain signatures of the account's key valid for tokens now that the account has code.
  function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
    return _isOwn(digest, signature) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
  }

  function eip712Domain()
    external
    view
    returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
  {
    return (0x1f, NAME, VERSION, block.chainid, address(this), _salt(), new uint256[](0));
  }

  function _execute(BatchedCall calldata batch) private {
    for (uint256 i; i < batch.calls.length; i++) {
      Call calldata call = batch.calls[i];
      // The zero address means the account itself (ERC-7821).
      address to = call.to == address(0) ? address(this) : call.to;
      (bool success, bytes memory returnData) = to.call{value: call.value}(call.data);
      if (!success && batch.revertOnFailure) revert CallFailed(returnData);
    }
  }

  /// @dev Called before any external call, to prevent reentrancy with the same signature.
  function _useNonce(uint256 nonce) private {
    if (getSeq[nonce >> 64]++ != uint64(nonce)) revert InvalidNonce();
  }

  /// @dev Recovers the key instead of using ERC-1271, which would call back into this contract.
  function _isOwn(bytes32 digest, bytes memory signature) private view returns (bool) {
    (address signer, ECDSA.RecoverError error, ) = ECDSA.tryRecover(digest, signature);
    return error == ECDSA.RecoverError.NoError && signer == address(this);
  }

  function _salt() private pure returns (bytes32) {
    return bytes32(uint256(uint160(IMPLEMENTATION)));
  }

  function _hashTypedData(bytes32 structHash) private view returns (bytes32) {
    bytes32 domain = keccak256(
      abi.encode(
        DOMAIN_TYPEHASH,
        keccak256(bytes(NAME)),
        keccak256(bytes(VERSION)),
        block.chainid,
        address(this),
        _salt()
      )
    );
    return keccak256(abi.encodePacked('\x19\x01', domain, structHash));
  }

  function _hash(SignedBatchedCall calldata signed) private pure returns (bytes32) {
    return
      keccak256(
        abi.encode(
          SIGNED_BATCHED_CALL_TYPEHASH,
          _hash(signed.batchedCall),
          signed.nonce,
          signed.keyHash,
          signed.executor,
          signed.deadline
        )
      );
  }

  function _hash(BatchedCall calldata batch) private pure returns (bytes32) {
    bytes32[] memory hashes = new bytes32[](batch.calls.length);
    for (uint256 i; i < hashes.length; i++) {
      Call calldata call = batch.calls[i];
      hashes[i] = keccak256(abi.encode(CALL_TYPEHASH, call.to, call.value, keccak256(call.data)));
    }
    return
      keccak256(abi.encode(BATCHED_CALL_TYPEHASH, keccak256(abi.encodePacked(hashes)), batch.revertOnFailure));
  }
}
