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

/// @notice The code of an account that is delegated to it (EIP-7702): makes the calls that the account's own key has
/// signed, whoever submits them. Interface, typed data and errors are those that Calibur documents; further keys,
/// hooks and ERC-4337 are left out. The storage is the account's, so it starts at a slot of its own: that of the
/// ERC-7201 namespace `ferry.BatchExecutor`.
contract BatchExecutor is IERC1271, IERC5267 layout at 0x83823c97fe2d2ed2c52a4610d3266176a5d440380f0c717f69751c423d4b9200 {
  /// @dev Where this code stands. It is placed there, so no constructor can have remembered it.
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

  /// @notice Makes the calls that the account has signed, once. The wrapped signature is the encoding of the signature
  /// and of data for hooks, of which there are none. An executor of zero stands for anybody, a deadline of zero for no
  /// deadline.
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

  /// @notice Makes calls that need no signature because the account itself asks for them.
  function execute(BatchedCall calldata batchedCall) external payable {
    if (msg.sender != address(this)) revert Unauthorized();
    _execute(batchedCall);
  }

  /// @notice Lets tokens go on accepting the bare signature of the account's own key, as before it had code.
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
      // The zero address stands for the account (ERC-7821).
      address to = call.to == address(0) ? address(this) : call.to;
      (bool success, bytes memory returnData) = to.call{value: call.value}(call.data);
      if (!success && batch.revertOnFailure) revert CallFailed(returnData);
    }
  }

  /// @dev Before anything is called, so that a call cannot come back with the same signature.
  function _useNonce(uint256 nonce) private {
    if (getSeq[nonce >> 64]++ != uint64(nonce)) revert InvalidNonce();
  }

  /// @dev Asks the key and never the code: asked itself, this code would be its own witness.
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
