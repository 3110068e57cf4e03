//! Adding to a tree, and a tree as a file again.

use super::property::{self, escaped};
use super::{Node, Property, Tree};
use crate::board::{ColoredMove, Size};

impl Node {
    /// Gives a property one text in the place of whatever it has. ASCII is right in every file:
    /// other bytes keep their encoding.
    pub fn set(&mut self, name: &str, text: &str) {
        self.remove(name);
        self.properties.push(Property::new(name.as_bytes(), &[escaped(text).as_bytes()]));
    }

    /// Takes a property away.
    pub fn remove(&mut self, name: &str) {
        self.properties.retain(|property| property.name != name);
    }

    /// Adds to the comment, a blank line below what is there.
    pub fn add_comment(&mut self, text: &str) {
        // A bad file has several of them.
        let comments = self.properties.iter().filter(|property| property.name == "C");
        let old =
            comments.flat_map(Property::values).filter(|value| !value.trim_ascii().is_empty());
        let escaped = escaped(text);
        let comment = old.chain([escaped.as_bytes()]).collect::<Vec<_>>().join(&b"\n\n"[..]);
        self.remove("C");
        self.properties.push(Property::new(b"C", &[&comment]));
    }
}

impl Tree {
    /// A node by index, to be changed.
    pub fn node_mut(&mut self, index: usize) -> Option<&mut Node> {
        if index == 0 { Some(&mut self.root) } else { self.others.get_mut(index - 1) }
    }

    /// Adds a variation behind the others below a node; the index of its first node, if there is one
    /// and the node exists.
    pub fn add_variation(
        &mut self,
        parent: usize,
        moves: impl IntoIterator<Item = ColoredMove>,
        size: Size,
    ) -> Option<usize> {
        let (mut parent, mut first) = (parent, None);
        for ColoredMove { color, mv } in moves {
            let index = self.node_count();
            self.node_mut(parent)?.children.push(index);
            let mut node = Node { parent: Some(parent), ..Node::default() };
            let name = [property::letter(color) as u8];
            let value = property::write_move(mv, size);
            node.properties.push(Property::new(&name, &[value.as_bytes()]));
            self.others.push(node);
            first = first.or(Some(index));
            parent = index;
        }
        first
    }

    /// The tree as a file, a node a line: values as they were read, names in their short form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut left = vec![Part::Line(0)];
        while let Some(part) = left.pop() {
            let Part::Line(first) = part else {
                bytes.extend(b")\n");
                continue;
            };
            bytes.push(b'(');
            left.push(Part::End);
            let mut next = Some(first);
            while let Some(node) = next.and_then(|index| self.node(index)) {
                write_node(node, &mut bytes);
                next = if let [only] = node.children() { Some(*only) } else { None };
                if next.is_none() {
                    left.extend(node.children().iter().rev().copied().map(Part::Line));
                }
            }
        }
        bytes
    }
}

/// What is still to be written.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// A parenthesis, the node and what follows it.
    Line(usize),
    /// The other parenthesis.
    End,
}

fn write_node(node: &Node, bytes: &mut Vec<u8>) {
    bytes.push(b';');
    for property in node.properties() {
        bytes.extend(property.name().as_bytes());
        for value in property.values() {
            bytes.push(b'[');
            bytes.extend(value);
            bytes.push(b']');
        }
    }
    bytes.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Move};

    fn tree(file: &str) -> Tree {
        Tree::parse(file.as_bytes()).unwrap()
    }

    #[test]
    fn a_tree_is_written_as_it_was_read() {
        let deep = format!("(;SZ[9]{}{})", "(;B[aa]".repeat(50_000), ")".repeat(50_000));
        for file in [
            "(;FF[4]SZ[9]C[a\\]b\\\\];B[aa](;W[bb];B[cc])(;W[dd](;B[])(;B[ee]AW[aa][ab])))",
            "(;)",
            "(;Game[1](;B[aa])(;B[bb]))",
            "(;a1B[x]b2[y])",
            &deep,
        ] {
            let tree = tree(file);
            assert_eq!(Tree::parse(&tree.to_bytes()).unwrap(), tree);
        }
        // Bytes that are no UTF-8 keep their values.
        let latin = Tree::parse(b"(;PB[M\xfcller];B[aa])").unwrap();
        assert_eq!(latin.to_bytes(), b"(;PB[M\xfcller]\n;B[aa]\n)\n");
    }

    #[test]
    fn variations_come_last() {
        let mut tree = tree("(;SZ[9];B[aa];W[bb])");
        let size = Size::square(9).unwrap();
        let mv = Move::Play(size.point(2, 6).unwrap());
        let moves = [
            ColoredMove { color: Color::White, mv },
            ColoredMove { color: Color::Black, mv: Move::Pass },
        ];
        assert_eq!(tree.add_variation(1, moves, size), Some(3));
        assert_eq!(tree.add_variation(9, moves, size), None);
        assert_eq!(tree.add_variation(2, [], size), None);
        assert_eq!(tree.to_bytes(), b"(;SZ[9]\n;B[aa]\n(;W[bb]\n)\n(;W[cc]\n;B[]\n)\n)\n");
        assert_eq!(tree.main_line_indexes().collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn properties_are_replaced_and_comments_grow() {
        let mut tree = tree("(;C[very][old]C[one]V[1]V[2])");
        let root = tree.node_mut(0).unwrap();
        root.set("V", "3");
        root.add_comment("new: ]\nend");
        assert_eq!(tree.to_bytes(), b"(;V[3]C[very\n\nold\n\none\n\nnew\\: \\]\nend]\n)\n");
        let root = tree.node_mut(0).unwrap();
        root.remove("C");
        root.add_comment("first");
        assert_eq!(tree.root().text("C").as_deref(), Some("first"));
        assert!(tree.node_mut(1).is_none());
    }
}
