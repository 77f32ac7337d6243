// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EIP712} from '@openzeppelin/contracts/utils/cryptography/EIP712.sol';
import {Nonces} from '@openzeppelin/contracts/utils/Nonces.sol';
import {SignatureChecker} from '@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol';
import {Token} from './Token.sol';

/// @notice USDC: six decimals, EIP-2612 permits and EIP-3009 authorizations, both with the EIP-712 domain "USD Coin",
/// "2".
contract UsdCoin is Token, EIP712, Nonces {
  bytes32 public constant PERMIT_TYPEHASH =
    keccak256('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)');
  bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
    keccak256(
      'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
    );
  bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH =
    keccak256(
      'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
    );
  bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
    keccak256('CancelAuthorization(address authorizer,bytes32 nonce)');

  string public constant version = '2';

  /// @notice Whether the authorization with that nonce has been used or canceled.
  mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
  event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

  error InvalidSignature();
  error PermitExpired(uint256 deadline);
  error AuthorizationNotYetValid(uint256 validAfter);
  error AuthorizationExpired(uint256 validBefore);
  error AuthorizationUsedOrCanceled(address authorizer, bytes32 nonce);
  error CallerMustBePayee(address payee);

  constructor() Token('USD Coin', 'USDC', 6) EIP712('USD Coin', version) {}

  // solhint-disable-next-line func-name-mixedcase
  function DOMAIN_SEPARATOR() external view returns (bytes32) {
    return _domainSeparatorV4();
  }

  function permit(
    address owner,
    address spender,
    uint256 value,
    uint256 deadline,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    if (block.timestamp > deadline) revert PermitExpired(deadline);
    bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline));
    _requireSignature(owner, structHash, v, r, s);
    _approve(owner, spender, value);
  }

  /// @notice Anyone may submit the authorization.
  function transferWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    bytes32 structHash = keccak256(
      abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
    );
    _useAuthorization(from, validAfter, validBefore, nonce);
    _requireSignature(from, structHash, v, r, s);
    _transfer(from, to, value);
  }

  /// @notice Only the payee may submit the authorization, which prevents front-running.
  function receiveWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    if (msg.sender != to) revert CallerMustBePayee(to);
    bytes32 structHash = keccak256(
      abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)
    );
    _useAuthorization(from, validAfter, validBefore, nonce);
    _requireSignature(from, structHash, v, r, s);
    _transfer(from, to, value);
  }

  function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
    if (authorizationState[authorizer][nonce]) revert AuthorizationUsedOrCanceled(authorizer, nonce);
    _requireSignature(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), v, r, s);
    authorizationState[authorizer][nonce] = true;
    emit AuthorizationCanceled(authorizer, nonce);
  }

  function _useAuthorization(address from, uint256 validAfter, uint256 validBefore, bytes32 nonce) private {
    if (block.timestamp <= validAfter) revert AuthorizationNotYetValid(validAfter);
    if (block.timestamp >= validBefore) revert AuthorizationExpired(validBefore);
    if (authorizationState[from][nonce]) revert AuthorizationUsedOrCanceled(from, nonce);
    authorizationState[from][nonce] = true;
    emit AuthorizationUsed(from, nonce);
  }

  /// @dev Also accepts ERC-1271 signatures of contracts, like the real token.
  function _requireSignature(address signer, bytes32 structHash, uint8 v, bytes32 r, bytes32 s) private view {
    bytes memory signature = abi.encodePacked(r, s, v);
    if (!SignatureChecker.isValidSignatureNow(signer, _hashTypedDataV4(structHash), signature)) {
      revert InvalidSignature();
    }
  }
}
