import ReactCore
