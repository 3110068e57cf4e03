//! Smart Game Format: files to games, games to text.
//!
//! `gtp` reads files with it (`loadsgf`) and writes games (`printsgf`), `review` adds to files. Layers:
//! `grammar` turns bytes into tokens, [`Tree`] hangs them together, `property` reads single values,
//! `load` makes a [`Game`](crate::game::Game) of the main line, `save` writes a game as text, `edit`
//! adds to a tree and writes it.
//!
//! **Invariants.** Any bytes give a tree or an [`SgfError`], never a panic. Nothing recurses, so
//! only memory limits the depth of a file: nodes live in one list and name each other by index.
//! What [`to_text`] writes is FF\[4\], and [`to_game`] reads the same game from it.
//!
//! **Assumptions.** The first game tree of a file counts and everything around it is ignored; in
//! it, the first variation. Reading is lenient about form (a byte order mark, text before the
//! tree, white space, long names of FF\[3\], bytes that are no UTF-8) but not about structure: a
//! file that ends inside its tree is broken. Values keep the bytes of the file; text that is no
//! UTF-8 is decoded lossily, whatever `CA` says. Deliberately absent: markup.
//!
//! Costs: linear in the file, but for superko (see [`crate::game`]) and set-up nodes, each of
//! which rebuilds the board.
//!
//! Sources: A. Hollosi, SGF FF\[4\] specification and its user guide; the files of clients, as
//! far as they differ from it.

mod edit;
mod grammar;
mod load;
mod property;
mod save;
#[cfg(test)]
mod tests;

pub use load::{Defaults, FileRules, Loaded, Place, Stop, places, to_game, visit};
pub use save::{GameInfo, is_move_or_board, to_text};

use crate::board::{Color, Vertex};
use crate::game::IllegalMove;
use grammar::Token;

/// Larger files are no game records; a pipe or device would never end. For those who read them.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// Why a file is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// There is no `(` with a `;` behind it.
    #[error("there is no game tree in the file")]
    NoTree,
    /// Something that is no node, property or parenthesis.
    #[error("line {line}: unreadable")]
    Syntax {
        /// Counted from 1.
        line: usize,
    },
    /// A property between `(` and `;`, or behind a variation.
    #[error("property {name} stands outside of a node")]
    OutsideNode {
        /// Its name.
        name: String,
    },
    /// Parentheses are missing at the end.
    #[error("the file ends inside its game tree")]
    Truncated,
    /// `GM` names another game.
    #[error("game number {game} is not Go")]
    NotGo {
        /// The number that `GM` gives.
        game: i64,
    },
    /// `SZ` is unreadable or not in 1 to 25.
    #[error("unsupported board size {size:?}")]
    Size {
        /// The text of the property.
        size: String,
    },
    /// A point or move that is unreadable or off the board.
    #[error("{name}[{value}] is no point of the board")]
    Point {
        /// Name of the property.
        name: String,
        /// Its text.
        value: String,
    },
    /// A set-up leaves a chain without liberties.
    #[error("the stones set up before move {number} hold a chain without liberties")]
    NoLiberty {
        /// Number of the next move, counted from 1.
        number: usize,
    },
    /// A move that the rules forbid, superko apart.
    #[error("move {number}, {color} {vertex}: {reason}")]
    Illegal {
        /// Counted from 1.
        number: usize,
        /// Who made it.
        color: Color,
        /// Where.
        vertex: Vertex,
        /// Why it is illegal.
        reason: IllegalMove,
    },
}

/// A property as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    name: String,
    values: Vec<Vec<u8>>,
}

impl Property {
    /// A property named as in the file: lower-case letters, which FF\[3\] allows in names, are
    /// dropped. A name that nothing or a digit is left of is taken as capitals.
    fn new(name: &[u8], values: &[&[u8]]) -> Self {
        let name = String::from_utf8_lossy(name);
        let short: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
        let is_name = short.starts_with(|c: char| c.is_ascii_uppercase());
        let name = if is_name { short } else { name.to_ascii_uppercase() };
        Self { name, values: values.iter().map(|value| value.to_vec()).collect() }
    }

    /// Its short name, such as `AB`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values, at least one: the bytes between the brackets with their escapes.
    pub fn values(&self) -> impl Iterator<Item = &[u8]> {
        self.values.iter().map(Vec::as_slice)
    }

    /// The first value.
    fn value(&self) -> &[u8] {
        self.values.first().map_or(&[], Vec::as_slice)
    }
}

/// A node of a game tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    properties: Vec<Property>,
    parent: Option<usize>,
    children: Vec<usize>,
}

impl Node {
    /// The properties in the order of the file.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// First value of the first property of this name.
    pub fn value(&self, name: &str) -> Option<&[u8]> {
        self.properties.iter().find(|property| property.name == name).map(Property::value)
    }

    /// The value of a text property, escapes and soft line breaks resolved.
    pub fn text(&self, name: &str) -> Option<String> {
        self.value(name).map(property::text)
    }

    /// Index of the node above; `None` for the root.
    pub fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// Indexes of the nodes below, the main line's first.
    pub fn children(&self) -> &[usize] {
        &self.children
    }
}

/// A game tree: at least a root.
///
/// ```
/// use keima::sgf::Tree;
/// let tree = Tree::parse(b"(;SZ[9]PB[Shusaku](;B[cc];W[gg])(;B[gc]))").expect("a tree");
/// assert_eq!(tree.root().text("PB").as_deref(), Some("Shusaku"));
/// assert_eq!(tree.main_line().count(), 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    root: Node,
    /// All nodes but the root, by index less one; a parent comes before its children.
    others: Vec<Node>,
}

impl Tree {
    /// Reads the first game tree of a file.
    ///
    /// # Errors
    /// [`SgfError::NoTree`], [`SgfError::Syntax`], [`SgfError::OutsideNode`] or
    /// [`SgfError::Truncated`].
    pub fn parse(bytes: &[u8]) -> Result<Self, SgfError> {
        let start = grammar::find_tree(bytes).ok_or(SgfError::NoTree)?;
        let mut builder = Builder::default();
        for token in grammar::tokens(bytes, start) {
            let token = token.map_err(|unreadable| SgfError::Syntax {
                line: bytes[..unreadable.offset].split(|&byte| byte == b'\n').count(),
            })?;
            builder.push(token)?;
            if builder.open.is_empty() {
                return builder.finish();
            }
        }
        Err(SgfError::Truncated)
    }

    /// The first node.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        1 + self.others.len()
    }

    /// A node by index; the root is 0.
    pub fn node(&self, index: usize) -> Option<&Node> {
        if index == 0 { Some(&self.root) } else { self.others.get(index - 1) }
    }

    /// The root and the first child of each node since.
    pub fn main_line(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(Some(&self.root), |node| self.node(*node.children.first()?))
    }

    /// The indexes of these nodes.
    pub fn main_line_indexes(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(0), |&index| self.node(index)?.children.first().copied())
    }
}

/// A tree under construction.
#[derive(Debug, Default)]
struct Builder {
    nodes: Vec<Node>,
    /// The node that the next one hangs below.
    present: Option<usize>,
    /// The present nodes at each `(` that is still open.
    open: Vec<Option<usize>>,
    /// Whether properties may follow.
    in_node: bool,
}

impl Builder {
    fn push(&mut self, token: Token<'_>) -> Result<(), SgfError> {
        let was_in_node = std::mem::replace(&mut self.in_node, false);
        match token {
            Token::Open => self.open.push(self.present),
            Token::Close => self.present = self.open.pop().flatten(),
            Token::Node => {
                let index = self.nodes.len();
                self.nodes.push(Node { parent: self.present, ..Node::default() });
                if let Some(parent) = self.present {
                    self.nodes[parent].children.push(index);
                }
                self.present = Some(index);
                self.in_node = true;
            }
            Token::Property { name, values } => {
                let property = Property::new(name, &values);
                let node = self.nodes.last_mut().filter(|_| was_in_node);
                let Some(node) = node else {
                    return Err(SgfError::OutsideNode { name: property.name });
                };
                node.properties.push(property);
                self.in_node = true;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Tree, SgfError> {
        let mut nodes = self.nodes.into_iter();
        let root = nodes.next().ok_or(SgfError::NoTree)?;
        Ok(Tree { root, others: nodes.collect() })
    }
}
